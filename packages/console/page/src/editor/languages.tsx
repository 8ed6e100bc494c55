import { checkTag, languageName, languageTag } from 'customer-data-api/configuration';
import { type Sentence as Text, withQuotes } from 'customer-data-api/sentences';
import { madeOf, mergeTexts, textsToCsv } from 'customer-data-api-editor/browser';
import { useState } from 'preact/hooks';
import type { Client, RecordedFields } from '../answers.ts';
import { type Answer, clientPath, read, save } from '../api.ts';
import type { DraftFinding, EditedDraft } from '../draft/draft.ts';
import { emptyLanguages, LANGUAGE_NAMES, tagOf } from '../draft/languages.ts';
import type { StoredDraft } from '../draft/use-draft.ts';
import { Findings } from '../findings/findings.tsx';
import { Button } from '../parts/button.tsx';
import { Alert } from '../parts/failure.tsx';
import { FileButton } from '../parts/file-button.tsx';
import { Labeled } from '../parts/labeled.tsx';
import { LanguageTabs, ownName } from '../parts/phone.tsx';
import { Sentences } from '../parts/sentences.tsx';
import { TextInput } from '../parts/text-input.tsx';
import { TEXTS } from '../texts.ts';
import type { View } from './use-view.ts';

interface Props {
  readonly client: Client;
  readonly stored: StoredDraft;
  readonly view: View;
  /** The findings of the language of the fields' own texts. */
  readonly findings: readonly DraftFinding[];
}

/** Chooses the language that is shown, says what each lacks, and adds others. */
export function Languages({ client, stored, view, findings }: Props) {
  const { draft, setLanguage } = stored;
  const { language, languages, missing, choose } = view;
  const own = languageTag(draft.language);
  const add = (tag: string) => {
    stored.addLanguage(tag, `Added ${languageName(tag)}.`);
    choose(tag);
  };
  return (
    <section class="languages" aria-label="Languages">
      <LanguageTabs {...{ own, language, missing }} translated={languages} onChange={choose} />
      <details>
        <summary>
          {languages.length > 0 || !own ? 'Languages' : `Languages: ${ownName(own)}`}
        </summary>
        <div class="grid">
          <Labeled
            label={TEXTS.ownLanguage}
            help="Choose it by its name, or type its tag, such as en."
            findings={<Findings findings={findings} />}
          >
            <TextInput
              class="id"
              value={String(draft.language ?? '')}
              list="language-names"
              onInput={setLanguage}
              onEntered={(text) => setLanguage(tagOf(text) ?? text.trim())}
            />
          </Labeled>
          <Addition {...{ own, languages }} onAdd={add} />
        </div>
        <datalist id="language-names">
          {LANGUAGE_NAMES.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </details>
      {language !== '' && <OneLanguage key={language} {...{ client, stored, view }} />}
    </section>
  );
}

/** The language that is shown: the next text that it lacks, its spreadsheet, and its removal. */
function OneLanguage({ client, stored, view }: Omit<Props, 'findings'>) {
  const { draft, edit } = stored;
  const { language, choose, chooseNext } = view;
  const name = languageName(language);
  const warning = warningOf(language);
  const remove = () => {
    stored.removeLanguage(language, TEXTS.removed(name));
    choose('');
  };
  return (
    <>
      {emptyLanguages(draft, [language]).length > 0 && (
        <p class="quiet">It has no text yet, so it is not published: only you see it here.</p>
      )}
      {warning !== '' && <p class="warning">{warning}</p>}
      {chooseNext && <Button onClick={chooseNext}>Next missing text</Button>}
      <details>
        <summary>{`Translate ${name} in a spreadsheet, or remove it`}</summary>
        <Spreadsheet
          {...{ client, draft, language }}
          onMerged={(fields) => edit(fields, '', `Merged the translations into ${name}.`)}
          onRemove={remove}
        />
      </details>
    </>
  );
}

/** Says what is wrong with a tag; empty if it is right. */
function warningOf(tag: string): string {
  const [finding] = checkTag(tag, []);
  return finding ? `The tag ${tag} ${finding.message}.` : '';
}

interface AdditionProps {
  /** The language of the fields' own texts. */
  readonly own: string | undefined;
  readonly languages: readonly string[];
  readonly onAdd: (tag: string) => void;
}

/** Adds a language to translate into, by its name or its tag. */
function Addition({ own, languages, onAdd }: AdditionProps) {
  const [text, setText] = useState('');
  const [isRefused, setIsRefused] = useState(false);
  const written = tagOf(text) ?? text.trim();
  const tag = languageTag(written);
  const add = (event: Event) => {
    event.preventDefault();
    if (refusalOf(tag) !== '' || tag === undefined) return setIsRefused(true);
    write('');
    onAdd(tag);
  };
  const refusalOf = (one: string | undefined) => {
    if (own === undefined) return 'First enter the language of your texts, such as English.';
    if (one === undefined) return 'Choose a language of the list, or type a tag such as pt-BR.';
    return one === own || languages.includes(one) ? `${languageName(one)} is there already.` : '';
  };
  const write = (input: string) => {
    setText(input);
    setIsRefused(false);
  };
  const refusal = isRefused ? refusalOf(tag) : '';
  return (
    <form onSubmit={add} noValidate>
      <Labeled
        label="Translate into"
        help="Choose a language by its name, or type any tag, such as pt-BR."
      >
        <TextInput class="id" value={text} list="language-names" onInput={write} />
      </Labeled>
      {refusal !== '' && <Alert>{refusal}</Alert>}
      <p class="actions">
        <Button type="submit">Add</Button>
        <span role="status" class="quiet">
          {tag !== undefined && (warningOf(written) || `${languageName(tag)} (${tag})`)}
        </span>
      </p>
    </form>
  );
}

interface SpreadsheetProps extends Pick<Props, 'client'> {
  readonly draft: EditedDraft;
  readonly language: string;
  readonly onMerged: (fields: readonly unknown[]) => void;
  readonly onRemove: () => void;
}

/** All texts of a language for a spreadsheet, and back; removes the language. */
function Spreadsheet({ client, draft, language, onMerged, onRemove }: SpreadsheetProps) {
  const [refusals, setRefusals] = useState<readonly Text[]>([]);
  const { clientId } = client;
  const { fields, from } = draft;
  const download = () => {
    const version = from.base === client.base ? client.live?.version : undefined;
    const lines = textsToCsv(fields, language, { clientId, version, digest: from.base });
    // Excel takes a file for UTF-8 only with a byte order mark.
    save(`\ufeff${lines.join('\n')}\n`, `${clientId}-${language}.csv`);
  };
  const merge = async (text: string) => {
    const digest = madeOf(text, language);
    const { value: base, failure } = await readBase(digest);
    if (failure) return setRefusals([failure.message]);
    const merged = mergeTexts(fields, language, text, base?.fields);
    setRefusals(merged.findings.map(({ row, message }) => withQuotes(`Row ${row} ${message}.`)));
    if (merged.findings.length === 0) onMerged(merged.fields);
  };
  const readBase = async (digest: string | undefined): Promise<Answer<RecordedFields>> => {
    if (digest === undefined) return {};
    if (from.base.startsWith(digest)) return { value: from };
    return read(`${clientPath(clientId)}/fields/${digest}`);
  };
  return (
    <>
      <p class="actions">
        <Button onClick={download}>Download all texts as CSV</Button>
        <FileButton
          accept=".csv"
          onRead={(file) =>
            file.text === undefined ? setRefusals([file.refusal]) : merge(file.text)
          }
        >
          Merge translations from CSV…
        </FileButton>
        <Button onClick={onRemove}>{`Remove ${languageName(language)}`}</Button>
      </p>
      {refusals.length > 0 && (
        <Alert>
          <p>{`Nothing was merged into ${languageName(language)}:`}</p>
          <Sentences>{refusals}</Sentences>
        </Alert>
      )}
    </>
  );
}
