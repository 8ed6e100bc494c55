import { readFile, stat, writeFile } from 'node:fs/promises';
import type { StoredMap } from 'customer-data-api/configuration';
import { contentDigest } from 'customer-data-api/history';
import { suggested, whyUnreadable } from 'customer-data-api-deployment/program';
import { baseOf } from '../base.ts';
import type { PlannedChange } from '../plan-change.ts';
import { writtenConfiguration } from '../written-configuration.ts';
import { withPublication } from './with-publication.ts';

/** What to tell the operator about a file after a publication. */
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
  { before: { clientId }, after, mergedWith }: PlannedChange,
): Promise<FileUpdate> {
  const show = suggested('config', 'show', clientId, 'FILE');
  const stale = (reason: string): FileUpdate => ({
    message: `${file} was not updated: ${reason} Before you edit it again, write the configuration into a new file: ${show}`,
    isStale: true,
  });
  const content = {
    lastFieldId: Number(after.lastFieldId.N),
    fields: writtenConfiguration(after).fields as StoredMap[],
  };
  const base = baseOf(contentDigest(after), content);
  const updated = withPublication(text, { base, ...content });
  try {
    if (!(await stat(file)).isFile()) {
      const message = `Before you edit it again, write the configuration into a file: ${show}`;
      return { message, isStale: false };
    }
    if ((await readFile(file, 'utf8')) !== text) return stale('it was saved in the meantime.');
    if (updated === undefined) {
      return stale('its aliases or its layout cannot be edited automatically.');
    }
    await writeFile(file, updated);
  } catch (error) {
    return stale(whyUnreadable(file, error as NodeJS.ErrnoException));
  }
  const merged = mergedWith ? ', including the merged changes' : '';
  const message = `${file} now matches what is live${merged}. Keep editing it.`;
  return { message, isStale: false };
}
