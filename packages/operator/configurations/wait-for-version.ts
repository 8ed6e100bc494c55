import { setTimeout } from 'node:timers/promises';
import type { LastChange } from 'customer-data-api/clients';
import type { Version } from 'customer-data-api/history';
import { newestVersions, type VersionsTable } from 'customer-data-api/history';

/** A version is recorded a moment after its change. Longer than this, in ms, something is wrong. */
const WAIT_MS = 30_000;
/** The first pause, in milliseconds. Each is half as long again as the one before. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2000;
/** Versions read per query: more than a client gets between two queries. */
const NEWEST = 10;

/**
 * Waits until the version of a published change is recorded; undefined after half a minute.
 *
 * @param signal ends the wait with its reason.
 */
export function waitForVersion(
  table: VersionsTable,
  clientId: string,
  { id }: LastChange,
  signal?: AbortSignal,
): Promise<Version | undefined> {
  // A manual edit that follows keeps the id.
  const isWanted = ({ changeId, source }: Version) => changeId === id && source === 'published';
  return waitFor(table, clientId, (newest) => newest.find(isWanted), WAIT_MS, signal);
}

/** Waits until the newest version of a client has this content; undefined after the given time. */
export function waitForContent(
  table: VersionsTable,
  clientId: string,
  digest: string,
  milliseconds: number,
): Promise<Version | undefined> {
  const find = ([newest]: readonly Version[]) => (newest?.digest === digest ? newest : undefined);
  return waitFor(table, clientId, find, milliseconds);
}

/** Polls the newest versions of a client until the wanted one is among them. */
async function waitFor(
  table: VersionsTable,
  clientId: string,
  find: (newest: readonly Version[]) => Version | undefined,
  milliseconds: number,
  signal?: AbortSignal,
): Promise<Version | undefined> {
  const end = performance.now() + milliseconds;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
    const wanted = find(await newestVersions(table, clientId, NEWEST));
    const left = end - performance.now();
    if (wanted || left <= 0) return wanted;
    signal?.throwIfAborted();
    await setTimeout(Math.min(pause, left));
  }
}
