import { languageName } from 'customer-data-api/configuration';
import { mergeTexts, type RowFinding, textsToCsv } from 'customer-data-api-operator/browser';
import { useState } from 'preact/hooks';
import type { Client } from '../answers.ts';
import { save } from '../api.ts';
import { TEXTS } from '../texts.ts';
import { Alert, Button, Command, Sentences } from './basics.tsx';
import { Labeled } from './labeled.tsx';

const texts = TEXTS.languages;

interface Props {
  readonly client: Client;
  readonly fields: readonly unknown[];
  readonly language: string;
  readonly onMerged: (fields: readonly unknown[]) => void;
}

/** All texts of a language for a spreadsheet, and back. */
export function Spreadsheet({ client, fields, language, onMerged }: Props) {
  const [findings, setFindings] = useState<readonly RowFinding[]>([]);
  // Excel takes a file for UTF-8 only with a byte order mark.
  const download = () =>
    save(
      `\ufeff${textsToCsv(fields, language).join('\n')}\n`,
      `${client.clientId}-${language}.csv`,
    );
  const upload = async (input: HTMLInputElement) => {
    const csv = await input.files?.[0]?.text();
    // The same file can be chosen again.
    input.value = '';
    if (csv === undefined) return;
    const merged = mergeTexts(fields, language, csv);
    setFindings(merged.findings);
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
      <Command>{client.commands.texts}</Command>
    </>
  );
}
