import {
  checkTag,
  counted,
  languageName,
  languageTag,
  type TranslatableText,
} from 'customer-data-api/configuration';
import { madeOf, mergeTexts, textsToCsv } from 'customer-data-api-editor/browser';
import { useState } from 'preact/hooks';
import type { Client, RecordedFields } from '../answers.ts';
import { type Answer, clientPath, read, save } from '../api.ts';
import { asMap, type DraftFinding, type EditedDraft } from '../draft/draft.ts';
import { emptyLanguages, LANGUAGE_NAMES, missingTexts, tagOf } from '../draft/languages.ts';
import type { StoredDraft } from '../draft/use-draft.ts';
import { labelOf } from '../findings/finding-text.ts';
import { Findings } from '../findings/findings.tsx';
import { Button } from '../parts/button.tsx';
import { Alert } from '../parts/failure.tsx';
import { Icon } from '../parts/icons.tsx';
import { Labeled } from '../parts/labeled.tsx';
import { Sentences } from '../parts/sentences.tsx';
import { TextInput } from '../parts/text-input.tsx';
import { readFile } from '../read-file.ts';
import { TEXTS } from '../texts.ts';

/** The most missing texts, or warnings, in a list. It goes on when they are written. */
const MAX_MISSING = 50;

interface Props {
  readonly client: Client;
  readonly stored: StoredDraft;
  /** The languages of the translations. */
  readonly languages: readonly string[];
  /** The findings of the language of the fields' own texts. */
  readonly findings: readonly DraftFinding[];
  /** Chooses a language, or the fields' own with `''`, and leads to what a field lacks in it. */
  readonly onChoose: (language: string, text?: TranslatableText) => void;
}

/** The languages of a configuration, and what is missing in each. */
export function Languages({ client, stored, languages, findings, onChoose }: Props) {
  const { draft, setLanguage } = stored;
  const own = languageTag(draft.language);
  const names = [own ?? '', ...languages].filter(Boolean).map(languageName);
  const add = (tag: string) => {
    stored.addLanguage(tag, `Added ${languageName(tag)}.`);
    onChoose(tag);
  };
  return (
    <details class="box" open={languages.length > 0}>
      <summary>{['Languages', names.join(', ')].filter(Boolean).join(': ')}</summary>
      <Labeled
        label="Language of your texts"
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
      {languages.map((language) => (
        <OneLanguage key={language} {...{ client, stored, language, onChoose }} />
      ))}
      <Addition {...{ own, languages }} onAdd={add} />
      <datalist id="language-names">
        {LANGUAGE_NAMES.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </details>
  );
}

interface OneProps extends Pick<Props, 'client' | 'stored' | 'onChoose'> {
  readonly language: string;
}

/** A language: what is missing in it, its spreadsheet, and how it is removed. */
function OneLanguage({ client, stored, language, onChoose }: OneProps) {
  const { draft, edit } = stored;
  const name = languageName(language);
  const missing = missingTexts(draft.fields, language);
  const warning = warningOf(language);
  const remove = () => {
    stored.removeLanguage(language, TEXTS.removed(name));
    onChoose('');
  };
  return (
    <section class="language" aria-label={name}>
      <h2>{name}</h2>
      {emptyLanguages(draft, [language]).length > 0 && (
        <p class="quiet">It has no text yet, so it is not published: only you see it here.</p>
      )}
      <Spreadsheet
        {...{ client, draft, language }}
        onMerged={(fields) => edit(fields, '', `Merged the translations into ${name}.`)}
        onRemove={remove}
      />
      <details>
        <summary class={missing.length > 0 ? 'warning' : ''}>
          {`Missing in ${name}: ${missing.length === 0 ? 'nothing' : counted(missing.length, 'text')}`}
        </summary>
        <ul class="plain">
          {missing.slice(0, MAX_MISSING).map((one) => (
            <li key={`${one.index} ${one.path.join()}`}>
              <Button onClick={() => onChoose(language, one)}>
                {textName(one, draft.fields[one.index])}
              </Button>
            </li>
          ))}
        </ul>
        {missing.length > MAX_MISSING && (
          <p>{`… and ${counted(missing.length - MAX_MISSING, 'more text')}`}</p>
        )}
      </details>
      {warning !== '' && <p class="warning">{warning}</p>}
    </section>
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
    setText('');
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
        <Button type="submit">
          <Icon name="add" /> Add
        </Button>
        <span role="status" class="quiet">
          {tag !== undefined && (warningOf(written) || `${languageName(tag)} (${tag})`)}
        </span>
      </p>
    </form>
  );
}

/** Names a text by its field, its control and itself. */
function textName({ path, original }: TranslatableText, field: unknown): string {
  const caption = path[0] !== 'fieldName' && (asMap(field).fieldName || TEXTS.untitled);
  const label = path.includes('options') ? 'Option' : labelOf(path);
  return [caption, `${label} “${original}”`].filter(Boolean).join(': ');
}

interface SpreadsheetProps extends Pick<Props, 'client'> {
  readonly draft: EditedDraft;
  readonly language: string;
  readonly onMerged: (fields: readonly unknown[]) => void;
  readonly onRemove: () => void;
}

/** All texts of a language for a spreadsheet, and back; removes the language. */
function Spreadsheet({ client, draft, language, onMerged, onRemove }: SpreadsheetProps) {
  const [refusals, setRefusals] = useState<readonly string[]>([]);
  const { clientId } = client;
  const { fields, from } = draft;
  const download = () => {
    const version = from.base === client.base ? client.live?.version : undefined;
    const lines = textsToCsv(fields, language, { clientId, version, digest: from.base });
    // Excel takes a file for UTF-8 only with a byte order mark.
    save(`\ufeff${lines.join('\n')}\n`, `${clientId}-${language}.csv`);
  };
  const upload = async (input: HTMLInputElement) => {
    const chosen = await readFile(input.files?.[0]);
    // The same file can be chosen again.
    input.value = '';
    if (!chosen) return;
    if (chosen.text === undefined) return setRefusals([`The file ${chosen.refusal}.`]);
    const digest = madeOf(chosen.text, language);
    const { value: base, failure } = await readBase(digest);
    if (failure) return setRefusals([failure.message]);
    const merged = mergeTexts(fields, language, chosen.text, base?.fields);
    setRefusals(merged.findings.map(({ row, message }) => `Row ${row} ${message}.`));
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
        <Button onClick={onRemove}>{`Remove ${languageName(language)}`}</Button>
      </p>
      <Labeled label="Merge translations from CSV">
        <input type="file" accept=".csv" onChange={({ currentTarget }) => upload(currentTarget)} />
      </Labeled>
      {refusals.length > 0 && (
        <Alert>
          <p>{`Nothing was merged into ${languageName(language)}:`}</p>
          <Sentences>{refusals}</Sentences>
        </Alert>
      )}
    </>
  );
}
