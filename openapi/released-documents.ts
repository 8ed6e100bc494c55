import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { UserError } from '../core/user-error.ts';

/** The folder of the released documents. */
export const RELEASES = new URL('releases/', import.meta.url);

/** The name of a released document, with its version. */
export const RELEASE = /^(\d+\.\d+\.\d+)\.json$/;

/**
 * Finds the newest of the released documents.
 *
 * @param names the file names in `openapi/releases`, such as `0.1.0.json`; others are ignored.
 * @throws UserError when there is none.
 */
export function newestRelease(names: readonly string[]): string {
  const newest = releasesIn(names).at(-1);
  if (!newest) throw new UserError('There is no released document in openapi/releases.');
  return newest;
}

/** The path of the document of the last release. */
export async function lastReleasedDocument(): Promise<string> {
  return fileURLToPath(new URL(newestRelease(await readdir(RELEASES)), RELEASES));
}

/** The released documents among file names, the oldest first. */
export function releasesIn(names: readonly string[]): string[] {
  return names
    .filter((name) => RELEASE.test(name))
    .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }));
}
