import { orUnavailable } from '../aws/or-unavailable.ts';
import type { StateOfItem } from '../clients/client-state.ts';
import { isLater, type LastChange, MAX_CLOCK_DIFFERENCE_MS } from '../clients/last-change.ts';
import type { ItemChange } from './item-change.ts';
import type { Version } from './version.ts';
import { isBefore, versionsOfChange } from './versions-of-change.ts';
import type { VersionsTable } from './versions-table.ts';

function isClose(lastChange: LastChange | undefined, at: string): boolean {
  return (
    !!lastChange && Math.abs(Date.parse(at) - Date.parse(lastChange.at)) <= MAX_CLOCK_DIFFERENCE_MS
  );
}

/** True if the item's `lastChange` belongs to a change, unless it is not new. */
export function canBelong(
  { clientId, at }: ItemChange,
  before: StateOfItem | undefined,
  after: StateOfItem | undefined,
): boolean {
  const { lastChange } = after ?? before ?? {};
  if (!isClose(lastChange, at)) return false;
  if (!after) return lastChange?.removes === true;
  return before ? isLater(lastChange, before.lastChange) : lastChange?.creates === clientId;
}

/**
 * True if an item's `lastChange` is new: no version since its time has its id. Else somebody put an
 * image of the item back.
 */
export async function hasNewChange(
  table: VersionsTable,
  { lastChange }: StateOfItem,
  newest: Version | undefined,
  abortSignal: AbortSignal | undefined,
): Promise<boolean> {
  if (!lastChange || lastChange.id === newest?.changeId) return false;
  if (!newest || isBefore(newest, lastChange)) return true;
  const versions = versionsOfChange(table, newest.clientId, lastChange, abortSignal);
  return (await orUnavailable(versions.next())).done === true;
}
