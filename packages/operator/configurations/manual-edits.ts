import type { VersionSummary } from 'customer-data-api/history';
import { listVersions, type VersionsTable } from 'customer-data-api/history';
import { entriesOf, hasSameFields } from './history-entries.ts';

/** Clients whose versions are read at the same time. */
const CONCURRENT_READS = 16;
/** Versions per query. The last publication is mostly among the newest. */
const PAGE_SIZE = 3;
/** Versions that are read of a client. Beyond them, the first of its manual edits is not found. */
const MAX_VERSIONS = 30;

/** The newest of the manual edits of a client that are not settled. */
export interface ManualEdit extends VersionSummary {
  /** The version before the first of them; undefined if it is no longer recorded. */
  readonly before: VersionSummary | undefined;
}

/**
 * Finds the clients with manual edits that are not settled.
 *
 * An edit is settled by the next publication or rollback of the client's configuration: whoever
 * made it knew an edit of fields, because both start from what is live, and a plan made before the
 * edit is refused. An edit of App-Ids or app clients is settled, too, though the review does not
 * show it. Commands about these do not show the configuration, so they settle nothing. Nor does a
 * manual change, not even one that undoes the edit.
 */
export async function findManualEdits(
  versions: VersionsTable,
  clientIds: readonly string[],
): Promise<ManualEdit[]> {
  const found: ManualEdit[] = [];
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
): Promise<ManualEdit | undefined> {
  let edit: ManualEdit | undefined;
  let read = 0;
  for await (const { version, older } of entriesOf(listVersions(versions, clientId, PAGE_SIZE))) {
    if (isManualEdit(version)) edit = { ...(edit ?? version), before: older };
    // Only these commands change the fields of a client. One without an older version creates it.
    else if (!older || !hasSameFields(version, older)) break;
    if (++read === MAX_VERSIONS) return edit && { ...edit, before: undefined };
  }
  return edit;
}

/** True for a change that no command made. The first version of a client is no edit. */
export function isManualEdit({ version, source }: VersionSummary): boolean {
  return version > 1 && source === 'outside';
}
