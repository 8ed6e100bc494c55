import {
  contentDigest,
  LATE,
  listVersions,
  readVersion,
  type StoredContent,
  type VersionSummary,
  type VersionsTable,
} from 'customer-data-api/history';

/** Versions per query of a search that mostly ends with the first ones. */
const PAGE_SIZE = 10;

/**
 * What a version did to a rollout: the share to which it brought it, or how it ended. `ended`:
 * other fields than the candidate's became live, as when a finish merged a manual edit.
 */
export type RolloutStep = number | 'finished' | 'stopped' | 'ended';

/** A version, and what its neighbours tell about it. */
export interface HistoryEntry {
  readonly version: VersionSummary;
  readonly older: VersionSummary | undefined;
  /**
   * What became of its fields. `unchanged`: it has those of the version before, as after a change
   * of App-Ids. `removed`: it has none, because the client was removed.
   */
  readonly state: 'live' | 'replaced' | 'unchanged' | 'removed';
  /** How long they were live, in seconds; undefined if they are still, or if that is unknown. */
  readonly liveFor: number | undefined;
  /** True if `at` is the time of the change after it, which recorded it. */
  readonly isStartUnknown: boolean;
  readonly rolloutChange: RolloutStep | undefined;
}

/** Adds to versions, newest first, what their neighbours tell. */
export async function* entriesOf(
  versions: AsyncIterable<VersionSummary>,
): AsyncGenerator<HistoryEntry> {
  let newer: VersionSummary | undefined;
  /** The version that replaced the fields of `newer`. */
  let end: VersionSummary | undefined;
  const entryOf = (version: VersionSummary, older?: VersionSummary): HistoryEntry => {
    const isUnchanged = older !== undefined && hasSameFields(version, older);
    const state = isUnchanged ? 'unchanged' : end ? 'replaced' : 'live';
    const isReplaced = state === 'replaced' && !version.isDeleted;
    return {
      version,
      older,
      state: version.isDeleted ? 'removed' : state,
      liveFor: end && isReplaced ? secondsBetween(version, end) : undefined,
      isStartUnknown: isStartUnknown(version),
      rolloutChange: rolloutChange(older, version),
    };
  };
  for await (const version of versions) {
    if (newer) yield entryOf(newer, version);
    if (newer && !hasSameFields(newer, version)) end = newer;
    newer = version;
  }
  if (newer) yield entryOf(newer);
}

/** A change of App-Ids is a version with the same fields. */
export function hasSameFields(one: VersionSummary, other: VersionSummary): boolean {
  return one.digest === other.digest && !one.isDeleted === !other.isDeleted;
}

function rolloutChange(
  older: VersionSummary | undefined,
  version: VersionSummary,
): RolloutStep | undefined {
  const [before, after] = [older?.rollout, version.rollout];
  if (after?.id === before?.id && after?.percent === before?.percent) return undefined;
  if (after) return after.percent;
  if (version.digest === before?.digest) return 'finished';
  return older && hasSameFields(older, version) ? 'stopped' : 'ended';
}

function isStartUnknown({ eventId, source }: VersionSummary): boolean {
  return source === 'outside' && eventId.endsWith(LATE);
}

function secondsBetween(start: VersionSummary, end: VersionSummary): number | undefined {
  if ([start, end].some(isStartUnknown)) return undefined;
  return Math.round((Date.parse(end.at) - Date.parse(start.at)) / 1000);
}

/** Finds the version that made the live fields; undefined if the client was removed. */
export async function liveVersion(
  table: VersionsTable,
  clientId: string,
): Promise<HistoryEntry | undefined> {
  for await (const entry of entriesOf(listVersions(table, clientId, PAGE_SIZE))) {
    if (entry.state === 'live') return entry;
    if (entry.state === 'removed') return undefined;
  }
  return undefined;
}

/**
 * Finds the version whose restoration undoes the last change of the live fields; undefined if there
 * is none, or if it cannot be restored.
 */
export async function previousVersion(
  table: VersionsTable,
  entries: readonly HistoryEntry[],
): Promise<VersionSummary | undefined> {
  const at = entries.findIndex(({ state }) => state === 'live');
  const live = entries[at] && (await shownOf(table, entries[at]));
  for (const entry of at === -1 ? [] : entries.slice(at + 1)) {
    if (entry.state === 'removed') return undefined;
    if (entry.state === 'unchanged') continue;
    const shown = await shownOf(table, entry);
    // A change of lastFieldId alone leaves nothing to restore.
    if (shown?.digest !== live?.digest) return shown?.fields?.L && entry.version;
  }
  return undefined;
}

async function shownOf(table: VersionsTable, { version: { clientId, version } }: HistoryEntry) {
  const { content = {} } = (await readVersion(table, clientId, version)) ?? {};
  return { fields: content.fields, digest: shownDigest(content) };
}

/** Identifies what customers see of a content: all but `lastFieldId`. */
export function shownDigest({ fields, language }: StoredContent): string {
  return contentDigest({ fields, language });
}

/** Finds the version that made the fields which another one replaced, or removed the client. */
export async function versionBefore(
  table: VersionsTable,
  { clientId, version }: VersionSummary,
): Promise<HistoryEntry | undefined> {
  for await (const entry of entriesOf(listVersions(table, clientId, PAGE_SIZE))) {
    const isChange = ['replaced', 'removed'].includes(entry.state);
    if (entry.version.version < version && isChange) return entry;
  }
  return undefined;
}
