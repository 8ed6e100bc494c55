import { setTimeout } from 'node:timers/promises';
import type { LastChange } from './last-change.ts';
import type { VersionSummary } from './version.ts';
import { listVersions, type VersionsTable } from './versions-table.ts';

/** A version is recorded a moment after its change. Longer than this, in milliseconds, something is wrong. */
const WAIT_MS = 30_000;
const INTERVAL_MS = 100;

/** Waits until the version of a published change is recorded; undefined if that takes more than half a minute. */
export function waitForVersion(
  table: VersionsTable,
  clientId: string,
  { id }: LastChange,
): Promise<VersionSummary | undefined> {
  // A change from outside that follows keeps the id.
  const isWanted = ({ changeId, source }: VersionSummary) =>
    changeId === id && source === 'published';
  return waitFor(table, clientId, isWanted, WAIT_MS);
}

/** Waits for a version of a client; undefined if it does not come in time. */
export async function waitFor(
  table: VersionsTable,
  clientId: string,
  isWanted: (version: VersionSummary) => boolean,
  milliseconds: number,
): Promise<VersionSummary | undefined> {
  for (const end = performance.now() + milliseconds; ; await setTimeout(INTERVAL_MS)) {
    for await (const version of listVersions(table, clientId)) {
      if (isWanted(version)) return version;
    }
    if (performance.now() >= end) return undefined;
  }
}
