import { languageName, languageTag, type TranslatableText } from 'customer-data-api/configuration';
import { mergeTexts, type RowFinding, textsToCsv } from 'customer-data-api-operator/browser';
import { useState } from 'preact/hooks';
import type { Client } from '../answers.ts';
import { save } from '../api.ts';
import { asMap, type DraftFinding } from '../draft.ts';
import { LANGUAGES, missingTexts, repeatedTexts, withoutLanguage } from '../languages.ts';
import { readFile } from '../read-file.ts';
import { TEXTS } from '../texts.ts';
import type { StoredDraft } from '../use-draft.ts';
import { Alert, Button, Command, Sentences, TextInput } from './basics.tsx';
import { Labeled, labelOf } from './labeled.tsx';

const texts = TEXTS.languages;
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
  const { draft, edit, replace } = stored;
  const own = languageTag(draft.language);
  const [isTooEarly, setIsTooEarly] = useState(false);
  const names = [own ?? '', ...languages].filter(Boolean).map(languageName);
  const remove = (language: string) => {
    const removed = TEXTS.editor.removed(languageName(language));
    edit(withoutLanguage(draft.fields, language), '', removed);
    onChoose('');
  };
  const add = (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    setIsTooEarly(own === undefined);
    if (own === undefined) return;
    const form = event.currentTarget;
    const input = form.querySelector('input');
    const tag = languageTag(input?.value.trim());
    input?.setCustomValidity(tag === undefined || tag === own ? texts.unknown : '');
    if (!form.reportValidity() || tag === undefined) return;
    form.reset();
    onChoose(tag, missingTexts(draft.fields, tag)[0]);
  };
  return (
    <details class="box form" open={languages.length > 0}>
      <summary>{[texts.title, names.join(', ')].filter(Boolean).join(': ')}</summary>
      <Labeled label={texts.own} findings={findings}>
        <TextInput
          value={String(draft.language ?? '')}
          list="languages"
          onInput={(tag) => replace({ ...draft, language: tag || undefined })}
        />
      </Labeled>
      {languages.map((language) => {
        const missing = missingTexts(draft.fields, language);
        const repeated = repeatedTexts(draft.fields, language);
        return (
          <details key={language}>
            <summary class={missing.length > 0 ? 'warning' : ''}>
              {texts.missingIn(languageName(language), missing.length)}
            </summary>
            <ul class="plain">
              {missing.slice(0, MAX_MISSING).map((one) => (
                <li key={`${one.index} ${one.path.join()}`}>
                  <Button onClick={() => onChoose(language, one)}>
                    {nameOf(one, draft.fields[one.index])}
                  </Button>
                </li>
              ))}
            </ul>
            {missing.length > MAX_MISSING && <p>{texts.more(missing.length - MAX_MISSING)}</p>}
            {repeated.length > 0 && (
              <p class="quiet">{texts.sameTexts(repeated.slice(0, MAX_MISSING).join(', '))}</p>
            )}
            <Spreadsheet
              {...{ client, fields: draft.fields, language }}
              onMerged={(fields) => edit(fields, '', texts.merged(languageName(language)))}
            />
            <p class="actions">
              <Button onClick={() => remove(language)}>
                {texts.remove(languageName(language))}
              </Button>
            </p>
          </details>
        );
      })}
      <form onSubmit={add} noValidate>
        <Labeled label={texts.add}>
          <input list="languages" autocomplete="off" />
        </Labeled>
        {isTooEarly && own === undefined && <Alert>{texts.ownFirst}</Alert>}
        <p class="actions">
          <Button type="submit">{texts.submit}</Button>
        </p>
      </form>
      <datalist id="languages">
        {LANGUAGES.map((tag) => (
          <option key={tag} value={tag}>
            {languageName(tag)}
          </option>
        ))}
      </datalist>
    </details>
  );
}

/** Names a text by its field, its control and itself. */
function nameOf({ path, original }: TranslatableText, field: unknown): string {
  const caption = path[0] !== 'fieldName' && (asMap(field).fieldName || TEXTS.editor.untitled);
  const label = path.includes('options') ? texts.option : labelOf(path);
  return [caption, `${label} “${original}”`].filter(Boolean).join(': ');
}

interface SpreadsheetProps extends Pick<Props, 'client'> {
  readonly fields: readonly unknown[];
  readonly language: string;
  readonly onMerged: (fields: readonly unknown[]) => void;
}

/** All texts of a language for a spreadsheet, and back. */
function Spreadsheet({ client, fields, language, onMerged }: SpreadsheetProps) {
  const [findings, setFindings] = useState<readonly RowFinding[]>([]);
  const [warnings, setWarnings] = useState<readonly RowFinding[]>([]);
  // Excel takes a file for UTF-8 only with a byte order mark.
  const download = () =>
    save(
      `\ufeff${textsToCsv(fields, language).join('\n')}\n`,
      `${client.clientId}-${language}.csv`,
    );
  const upload = async (input: HTMLInputElement) => {
    const csv = await readFile(input.files?.[0]);
    // The same file can be chosen again.
    input.value = '';
    if (csv === undefined) return;
    const merged = mergeTexts(fields, language, csv);
    setFindings(merged.findings);
    setWarnings(merged.warnings);
    if (merged.findings.length === 0) onMerged(merged.fields);
  };
  return (
    <>
      <p class="actions">
        <Button onClick={download}>{texts.download}</Button>
      </p>
      <Labeled label={texts.upload}>
        <input type="file" accept=".csv" onChange={({ currentTarget }) => upload(currentTarget)} />
      </Labeled>
      {findings.length > 0 && (
        <Alert>
          <p>{texts.refused(languageName(language))}</p>
          <Sentences>{findings.map(texts.finding)}</Sentences>
        </Alert>
      )}
      {warnings.length > 0 && (
        <div class="warning" role="status">
          <Sentences>{warnings.slice(0, MAX_MISSING).map(texts.finding)}</Sentences>
        </div>
      )}
      <Command>{client.commands.texts}</Command>
    </>
  );
}
