import { readFile, writeFile } from 'node:fs/promises';
import type { ConfigsItem } from '../../core/clients/client-record.ts';
import { assignIds } from '../../core/configuration/assign-ids.ts';
import { isMap } from '../../core/configuration/complete-field.ts';
import { contentDigest } from '../../core/configuration/content-digest.ts';
import type { PlannedChange } from '../../core/configuration/plan-change.ts';
import { CommandError, UsageError } from '../../core/platform/command-error.ts';
import { printable } from '../../core/text.ts';
import { whyUnreadable } from '../file-error.ts';
import { parseConfigurationFile, withPublication } from './configuration-file.ts';

/** @throws UsageError if the file cannot be read. */
export async function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: Error) => {
    throw new UsageError(
      `The configuration cannot be read: ${whyUnreadable(file, error)}`,
      'unreadableFile',
    );
  });
}

/**
 * Reads the content of a configuration file, which may have mistakes.
 *
 * @param text what the file contains.
 * @throws CommandError if it is not a map in YAML.
 */
export function readDraft(file: string, text: string): ConfigsItem {
  const { problems, file: parsed } = parseConfigurationFile(text);
  if (problems.length > 0) {
    const lines = problems.map(
      ({ line, column, message }) => `${file}:${line}:${column} ${message}.`,
    );
    throw new CommandError(lines.join('\n'), 'invalidConfiguration');
  }
  const content = parsed?.content;
  if (isMap(content)) return content;
  throw new CommandError(
    `${file} must be a map with clientId, lastFieldId and fields.`,
    'invalidConfiguration',
  );
}

/**
 * Reads the configuration of a client from a file, as `readDraft` does.
 *
 * @throws UsageError if it is that of another client.
 */
export function readDraftOf(clientId: string, file: string, text: string): ConfigsItem {
  const content = readDraft(file, text);
  if (content.clientId === clientId) return content;
  throw new UsageError(
    `${file} is the configuration of ${printable(String(content.clientId))}, not of ${clientId}. Correct the command, or clientId in the file.`,
    'otherClient',
  );
}

/**
 * Writes into a file that was published what its next change needs: the new `base`, `lastFieldId` and ids. It is left alone if
 * it does not contain all that was published.
 *
 * @param text what it contained when it was read.
 * @returns what to tell the operator.
 */
export async function updatePublished(
  file: string,
  text: string,
  { after, mergedWith }: PlannedChange,
): Promise<string> {
  const updated = mergedWith
    ? undefined
    : withPublication(text, {
        base: contentDigest(after),
        lastFieldId: Number(after.lastFieldId.N),
        ids: after.fields.L?.map(({ M }) => M?.id?.S) ?? [],
      });
  const isUpdated =
    updated !== undefined &&
    (await readFile(file, 'utf8').catch(() => undefined)) === text &&
    (await writeFile(file, updated).then(
      () => true,
      () => false,
    ));
  return isUpdated
    ? `${file} has the new base and ids. You can change it again.`
    : `${file} is not what was published. Pull the configuration into a new file before you change it again.`;
}

/** The content of a file with an id for each field, as `assignIds` gives them, and with a `lastFieldId` that follows. */
export function identified(
  content: ConfigsItem,
  lastFieldId = content.lastFieldId,
  highestEver?: number,
): ConfigsItem {
  const { fields } = content;
  if (!Array.isArray(fields)) return content;
  if (lastFieldId !== undefined && !Number.isSafeInteger(lastFieldId)) {
    // It is an error by itself. A field without an id is none.
    return { ...content, fields: assignIds(fields, 0, highestEver).fields };
  }
  return { ...content, ...assignIds(fields, Number(lastFieldId ?? 0), highestEver) };
}
