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
  stamp: LastChange,
  abortSignal?: AbortSignal,
): AsyncGenerator<Version> {
  let searched = 0;
  for await (const version of listVersions(table, clientId, PAGE_SIZE, abortSignal)) {
    if (version.changeId === stamp.id) yield version;
    if (isBefore(version, stamp) || ++searched === SEARCHED_VERSIONS) return;
  }
}

/**
 * True if the `lastChange` of an item is new: no version since its time has its id. Else somebody
 * put an image of the item back.
 */
export async function isNewStamp(
  table: VersionsTable,
  stamp: LastChange | undefined,
  newest: Version | undefined,
  abortSignal?: AbortSignal,
): Promise<boolean> {
  if (!stamp || stamp.id === newest?.changeId) return false;
  if (!newest || isBefore(newest, stamp)) return true;
  const versions = versionsOfChange(table, newest.clientId, stamp, abortSignal);
  return (await orUnavailable(versions.next())).done === true;
}

/** True if a version is too old to have recorded a change. */
function isBefore({ at }: Version, stamp: LastChange): boolean {
  return Date.parse(at) < Date.parse(stamp.at) - MAX_CLOCK_DIFFERENCE_MS;
}
