import type { VersionSummary } from '../../core/history/version.ts';
import { listVersions, type VersionsTable } from '../../core/history/versions-table.ts';

/** A version, and how long its fields were live. */
export interface HistoryEntry {
  readonly version: VersionSummary;
  readonly older: VersionSummary | undefined;
  /** In seconds; undefined if they are live still, or if it changed none. */
  readonly liveFor: number | undefined;
  readonly isLive: boolean;
}

/** Adds to versions, newest first, what their neighbours tell. */
export async function* entriesOf(
  versions: AsyncIterable<VersionSummary>,
): AsyncGenerator<HistoryEntry> {
  let newer: VersionSummary | undefined;
  /** When the fields of `newer` were replaced. */
  let end: string | undefined;
  const entryOf = (version: VersionSummary, older?: VersionSummary): HistoryEntry => {
    const isChange = !version.isDeleted && !(older && hasSameFields(version, older));
    const seconds = end && Math.round((Date.parse(end) - Date.parse(version.at)) / 1000);
    const liveFor = isChange && typeof seconds === 'number' ? seconds : undefined;
    return { version, older, liveFor, isLive: isChange && end === undefined };
  };
  for await (const version of versions) {
    if (newer) yield entryOf(newer, version);
    if (newer && !hasSameFields(newer, version)) end = newer.at;
    newer = version;
  }
  if (newer) yield entryOf(newer);
}

/** A change of App-Ids is a version with the same fields. */
export function hasSameFields(one: VersionSummary, other: VersionSummary): boolean {
  return one.digest === other.digest && !one.isDeleted === !other.isDeleted;
}

/** Finds the version that made the fields which another one replaced, or removed the client. */
export async function versionBefore(
  table: VersionsTable,
  { clientId, version }: VersionSummary,
): Promise<HistoryEntry | undefined> {
  for await (const entry of entriesOf(listVersions(table, clientId))) {
    const isChange = entry.liveFor !== undefined || entry.version.isDeleted;
    if (entry.version.version < version && isChange) return entry;
  }
  return undefined;
}
