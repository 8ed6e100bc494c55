import { readFile } from 'node:fs/promises';
import type { Draft } from '../../../admin/configuration/plan-change.ts';
import type { ConfigsItem } from '../../../core/client-attributes.ts';
import { assignIds } from '../../../core/configuration/assign-ids.ts';
import { isMap } from '../../../core/configuration/complete-field.ts';
import { UsageError, UserError } from '../../../core/user-error.ts';
import { whyUnreadable } from '../../file-error.ts';
import { parseConfigurationFile } from './configuration-file.ts';

/**
 * Returns true for what names a file rather than a client: a path, or a name that ends with
 * `.yaml`.
 */
export function isFileName(name: string): boolean {
  return /[\\/]|\.ya?ml$/i.test(name);
}

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
 * @throws UserError if it is not a map in YAML.
 */
export function readDraft(file: string, text: string): ConfigsItem {
  const { problems, file: parsed } = parseConfigurationFile(text);
  if (!parsed) {
    const lines = problems.map(
      ({ line, column, message }) => `${file}:${line}:${column} ${message}.`,
    );
    throw new UserError(lines.join('\n'), 'invalidConfiguration');
  }
  const { content } = parsed;
  if (isMap(content)) return content;
  throw new UserError(
    `${file} must be a map with clientId, lastFieldId and fields.`,
    'invalidConfiguration',
  );
}

/** Reads what a file that was checked is to publish. */
export function readCheckedDraft(file: string, text: string): Draft {
  const { clientId, base, fields, lastFieldId } = readDraft(file, text);
  // The check has made sure of the types.
  return { clientId, base, fields, lastFieldId } as Draft;
}

/**
 * The content of a file with an id for each field, as `assignIds` gives them, and with a
 * `lastFieldId` that follows.
 */
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
