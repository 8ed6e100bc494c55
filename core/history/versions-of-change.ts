import { orUnavailable } from '../aws/or-unavailable.ts';
import { type LastChange, MAX_CLOCK_DIFFERENCE_MS } from '../clients/last-change.ts';
import type { Version } from './version.ts';
import { listVersions, type VersionsTable } from './versions-table.ts';

/** The most versions that are searched for the id of a change, and those that are read at once. */
const SEARCHED_VERSIONS = 100;
const PAGE_SIZE = 10;

/**
 * Lists the versions of a client that have the id of a change, newest first: manual edits after it
 * keep the id. It reads the versions since the time of the change, and no more than 100.
 */
export async function* versionsOfChange(
  table: VersionsTable,
  clientId: string,
  change: LastChange,
  abortSignal?: AbortSignal,
): AsyncGenerator<Version> {
  let searched = 0;
  for await (const version of listVersions(table, clientId, PAGE_SIZE, abortSignal)) {
    if (version.changeId === change.id) yield version;
    if (isBefore(version, change) || ++searched === SEARCHED_VERSIONS) return;
  }
}

/**
 * True if the `lastChange` of an item is new: no version since its time has its id. Else somebody
 * put an image of the item back.
 */
export async function isNewChange(
  table: VersionsTable,
  change: LastChange | undefined,
  newest: Version | undefined,
  abortSignal?: AbortSignal,
): Promise<boolean> {
  if (!change || change.id === newest?.changeId) return false;
  if (!newest || isBefore(newest, change)) return true;
  const versions = versionsOfChange(table, newest.clientId, change, abortSignal);
  return (await orUnavailable(versions.next())).done === true;
}

/** True if a version is too old to have recorded a change. */
function isBefore({ at }: Version, change: LastChange): boolean {
  return Date.parse(at) < Date.parse(change.at) - MAX_CLOCK_DIFFERENCE_MS;
}
