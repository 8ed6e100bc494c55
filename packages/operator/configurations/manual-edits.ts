import { listVersions, type Version, type VersionsTable } from 'customer-data-api/history';
import { hasSameFields, type ListedVersion, withNeighbours } from './history.ts';

/** Clients whose versions are read at the same time. */
const CONCURRENT_READS = 16;
/** Versions per query. The last publication is mostly among the newest. */
const PAGE_SIZE = 3;
/** Versions that are read of a client. Beyond them, the first of its manual edits is not found. */
const MAX_VERSIONS = 30;

/**
 * Finds the clients with manual edits that are not settled.
 *
 * An edit is settled by the next publication or rollback of the client's configuration: whoever
 * made it knew an edit of fields, because both start from what is live, and a plan made before the
 * edit is refused. An edit of App-Ids or app clients is settled, too, though the review does not
 * show it. Commands about these do not show the configuration, so they settle nothing. Nor does a
 * manual change, not even one that undoes the edit.
 *
 * @returns the newest edit of each client, with the version before the first one as `older`:
 *   undefined if that is no longer recorded.
 */
export async function findManualEdits(
  versions: VersionsTable,
  clientIds: readonly string[],
): Promise<ListedVersion[]> {
  const found: ListedVersion[] = [];
  for (let start = 0; start < clientIds.length; start += CONCURRENT_READS) {
    const batch = clientIds.slice(start, start + CONCURRENT_READS);
    const edits = await Promise.all(batch.map((clientId) => manualEdit(versions, clientId)));
    found.push(...edits.filter((edit) => edit !== undefined));
  }
  return found;
}

async function manualEdit(
  versions: VersionsTable,
  clientId: string,
): Promise<ListedVersion | undefined> {
  let edit: ListedVersion | undefined;
  let read = 0;
  for await (const version of withNeighbours(listVersions(versions, clientId, PAGE_SIZE))) {
    const { older } = version;
    if (isManualEdit(version)) edit = { ...(edit ?? version), older };
    // Only these commands change the fields of a client. One without an older version creates it.
    else if (!older || !hasSameFields(version, older)) break;
    if (++read === MAX_VERSIONS) return edit && { ...edit, older: undefined };
  }
  return edit;
}

/** True for a change that no command made. The first version of a client is no edit. */
export function isManualEdit({ version, source }: Version): boolean {
  return version > 1 && source === 'manualEdit';
}
