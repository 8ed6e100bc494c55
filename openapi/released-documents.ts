import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { UserError } from 'customer-data-api-deployment/program';

/** The folder of the released documents. */
export const RELEASES = new URL('releases/', import.meta.url);

/** The file name of a released document, with its version. */
export const RELEASE = /^(\d+\.\d+\.\d+)\.json$/;

/** Returns the newest released document of file names such as `0.1.0.json`, or throws UserError. */
export function newestRelease(names: readonly string[]): string {
  const newest = releasesIn(names).at(-1);
  if (!newest) throw new UserError('There is no released document in openapi/releases.');
  return newest;
}

/** Returns the path of the last release's document. */
export async function lastReleasedDocument(): Promise<string> {
  return fileURLToPath(new URL(newestRelease(await readdir(RELEASES)), RELEASES));
}

/** Returns the released documents among file names, the oldest first. */
export function releasesIn(names: readonly string[]): string[] {
  return names
    .filter((name) => RELEASE.test(name))
    .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }));
}
