import { readFile } from 'node:fs/promises';
import type { ConfigsItem } from '../../core/clients/client-record.ts';
import { assignIds } from '../../core/configuration/assign-ids.ts';
import { isMap } from '../../core/configuration/complete-field.ts';
import { CommandError, UsageError } from '../../core/platform/command-error.ts';
import { parseConfigurationFile } from './configuration-file.ts';

/** @throws UsageError if the file cannot be read. */
export async function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: Error) => {
    throw new UsageError(`The configuration cannot be read: ${error.message}`);
  });
}

/**
 * Reads the content of a configuration file, which may have mistakes.
 *
 * @throws CommandError if it cannot be read or is not a map in YAML.
 */
export async function readDraft(file: string): Promise<ConfigsItem> {
  const parsed = parseConfigurationFile(await readText(file));
  if ('problem' in parsed) {
    const { line, column, message } = parsed.problem;
    throw new CommandError(`${file}:${line}:${column} ${message}`);
  }
  const { content } = parsed.file;
  if (isMap(content)) return content;
  throw new CommandError(`${file} must be a map with clientId, lastFieldId and fields.`);
}

/** The content of a file with an id for each field, and with a `lastFieldId` that follows. */
export function identified(content: ConfigsItem, lastFieldId = content.lastFieldId): ConfigsItem {
  const { fields } = content;
  if (!Array.isArray(fields)) return content;
  if (lastFieldId !== undefined && !Number.isSafeInteger(lastFieldId)) return content;
  return { ...content, ...assignIds(fields, Number(lastFieldId ?? 0)) };
}
