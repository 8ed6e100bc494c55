import { readFile, stat, writeFile } from 'node:fs/promises';
import { suggested, whyUnreadable } from 'customer-data-api-deployment/program';
import { baseOf } from '../base.ts';
import type { Plan } from '../plan-change.ts';
import { liveDigest } from '../rollouts.ts';
import { type Published, withPublication } from './with-publication.ts';

/** What became of a file. */
export interface UpdatedFile {
  /** Says it to its operator. */
  readonly note: string;
  /** True if its operator must not change and publish it again. */
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
  { before, after, mergedWith, starts }: Plan,
): Promise<UpdatedFile> {
  const { clientId } = before;
  const show = suggested('config', 'show', clientId, 'FILE');
  const stale = (reason: string): UpdatedFile => ({
    note: `${file} was not updated: ${reason} Before you edit it again, write the configuration into a new file: ${show}`,
    isStale: true,
  });
  const content = after.written as Omit<Published, 'base'>;
  const digest = starts ? liveDigest(before, after.content) : after.digest;
  const base = baseOf(digest, content);
  const updated = withPublication(text, { base, ...content });
  try {
    if (!(await stat(file)).isFile()) {
      const note = `Before you edit it again, write the configuration into a file: ${show}`;
      return { note, isStale: false };
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
  const what = starts ? 'the candidate' : 'what is live';
  return { note: `${file} now matches ${what}${merged}. Keep editing it.`, isStale: false };
}
