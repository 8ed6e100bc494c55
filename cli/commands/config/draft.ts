import { readFile, stat, writeFile } from 'node:fs/promises';
import type { Draft, PlannedChange } from '../../../admin/configuration/plan-change.ts';
import { writtenConfiguration } from '../../../admin/configuration/written-configuration.ts';
import type { ConfigsItem } from '../../../core/client-attributes.ts';
import { assignIds } from '../../../core/configuration/assign-ids.ts';
import { isMap, type StoredMap } from '../../../core/configuration/complete-field.ts';
import { contentDigest } from '../../../core/history/content-digest.ts';
import { UsageError, UserError } from '../../../core/user-error.ts';
import { whyUnreadable } from '../../file-error.ts';
import { parseConfigurationFile } from './configuration-file.ts';
import { withPublication } from './with-publication.ts';

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

/** Whether a file has what apps get, and what to tell the operator about it. */
export interface FileUpdate {
  readonly message: string;
  /** Its operator must not change and publish it again. */
  readonly isStale: boolean;
}

/**
 * Writes into a file what apps get, once everything in it is live: the new `base`, `lastFieldId`
 * and ids and, after a merge, what others changed. Without ids, the next merge would add its new
 * fields again. A file that was saved since it was read is left alone.
 *
 * @param text what it contained when it was read.
 */
export async function updateFile(
  file: string,
  text: string,
  { after, mergedWith }: PlannedChange,
): Promise<FileUpdate> {
  const stale = (reason: string): FileUpdate => ({
    message: `${file} was not updated: ${reason} Pull the configuration into a new file before you edit it again.`,
    isStale: true,
  });
  const updated = withPublication(text, {
    base: contentDigest(after),
    lastFieldId: Number(after.lastFieldId.N),
    fields: writtenConfiguration(after).fields as StoredMap[],
  });
  try {
    if (!(await stat(file)).isFile()) {
      const message = 'Pull the configuration into a file before you edit it again.';
      return { message, isStale: false };
    }
    if ((await readFile(file, 'utf8')) !== text) return stale('it was saved in the meantime.');
    if (updated === undefined)
      return stale('its aliases or its layout cannot be edited automatically.');
    await writeFile(file, updated);
  } catch (error) {
    return stale(whyUnreadable(file, error as NodeJS.ErrnoException));
  }
  const merged = mergedWith ? ', including the merged changes' : '';
  return {
    message: `${file} now matches what is live${merged}. Keep editing it.`,
    isStale: false,
  };
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
