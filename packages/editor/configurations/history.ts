import { setTimeout } from 'node:timers/promises';
import type { LastChange } from 'customer-data-api/clients';
import { compare, type Effect, isOfAccess, isOfRollout } from 'customer-data-api/effects';
import {
  fieldsIdentity,
  listVersions,
  newestVersions,
  RECORDED_BY_NEXT,
  redactedAccess,
  stateOfVersion,
  type Version,
  type VersionsTable,
  versionIdentity,
} from 'customer-data-api/history';
import { readEach } from '../clients/concurrent-reads.ts';

/** Versions per query of a search that mostly ends with the first ones. */
const PAGE_SIZE = 10;

/** A version in the list of them, with what its neighbours tell about it. */
export interface ListedVersion extends Version {
  /** The version before it. */
  readonly older: Version | undefined;
  /**
   * The state of its fields. `unchanged`: it has those of the version before, as after a change of
   * App-Ids. `removed`: it has none, because the client was removed.
   */
  readonly state: 'live' | 'replaced' | 'unchanged' | 'removed';
  /** The seconds that they were live; undefined if they are still, or if that is unknown. */
  readonly liveFor: number | undefined;
  /** True if `at` is the time of the change after it, which recorded it. */
  readonly isStartUnknown: boolean;
  /** Its effects, as far as versions without their contents tell them. */
  readonly effects: readonly Effect[];
  /** The effect that ended the rollout as it ran, and when; undefined if it runs so still. */
  readonly rolloutEnd: { readonly effect: Effect; readonly at: string } | undefined;
}

/** Adds to versions, newest first, what their neighbours tell. */
export async function* withNeighbours(
  versions: AsyncIterable<Version>,
): AsyncGenerator<ListedVersion> {
  let newer: Version | undefined;
  /** The version after `newer`. */
  let newest: Version | undefined;
  /** The version that replaced the fields of `newer`. */
  let end: Version | undefined;
  let rolloutEnd: ListedVersion['rolloutEnd'];
  const listed = (version: Version, older?: Version): ListedVersion => {
    const isUnchanged = older && fieldsIdentity(older) === fieldsIdentity(version);
    const state = isUnchanged ? 'unchanged' : end ? 'replaced' : 'live';
    const isReplaced = state === 'replaced' && !version.isDeleted;
    const access = redactedAccess(version.access, older?.access, newest?.access);
    return {
      ...version,
      access,
      older,
      state: version.isDeleted ? 'removed' : state,
      liveFor: end && isReplaced ? secondsBetween(version, end) : undefined,
      isStartUnknown: isStartUnknown(version),
      effects: compare(older && stateOfVersion(older), stateOfVersion({ ...version, access })),
      rolloutEnd: version.rollout && rolloutEnd,
    };
  };
  for await (const version of versions) {
    if (newer) {
      const one = listed(newer, version);
      yield one;
      if (fieldsIdentity(version) !== fieldsIdentity(newer)) end = newer;
      const effect = one.effects.find(isOfRollout);
      if (effect) rolloutEnd = { effect, at: one.at };
    }
    newest = newer;
    newer = version;
  }
  if (newer) yield listed(newer);
}

function isStartUnknown({ eventId, source }: Version): boolean {
  return source === 'manualEdit' && eventId.endsWith(RECORDED_BY_NEXT);
}

function secondsBetween(start: Version, end: Version): number | undefined {
  if ([start, end].some(isStartUnknown)) return undefined;
  return Math.round((Date.parse(end.at) - Date.parse(start.at)) / 1000);
}

/** Finds the version that made what is live; undefined until it is recorded. */
export async function liveVersion(
  table: VersionsTable,
  { clientId, digest }: Pick<Version, 'clientId' | 'digest'>,
): Promise<ListedVersion | undefined> {
  for await (const one of withNeighbours(listVersions(table, clientId, PAGE_SIZE))) {
    if (one.state === 'live') return one.digest === digest ? one : undefined;
    if (one.state === 'removed') return undefined;
  }
  return undefined;
}

/** The first version with the rollout that a version has, or with its candidate. */
export async function firstWithRollout(
  table: VersionsTable,
  clientId: string,
  isIt: (version: Version) => boolean,
): Promise<Version | undefined> {
  let first: Version | undefined;
  for await (const version of listVersions(table, clientId)) {
    if (isIt(version)) first = version;
    else if (first) return first;
  }
  // The versions before it are kept no more.
  return undefined;
}

/**
 * Finds the earlier versions whose fields others have, too, by the number of these: those that a
 * change of App-Ids or a rollout left as they were, and those that were brought back.
 *
 * @param versions all, newest first.
 */
export function earlierVersions(versions: readonly ListedVersion[]): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  const byDigest = new Map<string, number>();
  let last: number | undefined;
  for (const { version, state, restores, digest } of versions.toReversed()) {
    const earlier = state === 'unchanged' ? last : (restores ?? byDigest.get(digest));
    if (state === 'removed') continue;
    if (earlier !== undefined) found.set(version, earlier);
    if (state === 'unchanged') continue;
    byDigest.set(digest, version);
    last = version;
  }
  return found;
}

/** Finds the version that made the fields which another one replaced, or removed the client. */
export async function replacedVersion(
  table: VersionsTable,
  { clientId, version }: Version,
): Promise<ListedVersion | undefined> {
  for await (const one of withNeighbours(listVersions(table, clientId, PAGE_SIZE))) {
    const isChange = ['replaced', 'removed'].includes(one.state);
    if (one.version < version && isChange) return one;
  }
  return undefined;
}

/** Versions per query. The last publication is mostly among the newest. */
const EDITS_PAGE_SIZE = 3;
/** Versions that are read of a client. Beyond them, the first of its manual edits is not found. */
const MAX_VERSIONS = 30;

/**
 * Finds the clients with manual edits that are not settled.
 *
 * An edit is settled by the next publication or rollback of the client's configuration: whoever
 * made it knew an edit of fields, because both start from what is live, and a plan made before the
 * edit is refused. An edit of App-Ids or app clients is settled, too, though the review does not
 * show it; `editedRules` finds what is not. Any other command settles edits of which it leaves
 * nothing, as a repair does, and no others: it does not show the configuration. A manual change
 * settles nothing, not even one that undoes the edit.
 *
 * @returns the newest edit of each client, with the version before the first one as `older`:
 *   undefined if that is no longer recorded.
 */
export async function findManualEdits(
  versions: VersionsTable,
  clientIds: readonly string[],
): Promise<ListedVersion[]> {
  const edits = await Array.fromAsync(readEach(clientIds, (id) => manualEdit(versions, id)));
  return edits.filter((edit) => edit !== undefined);
}

async function manualEdit(
  versions: VersionsTable,
  clientId: string,
): Promise<ListedVersion | undefined> {
  let edit: ListedVersion | undefined;
  /** The edits that no command is between, as one. */
  let edits: ListedVersion | undefined;
  const commands: Version[] = [];
  let read = 0;
  for await (const version of withNeighbours(listVersions(versions, clientId, EDITS_PAGE_SIZE))) {
    const { older } = version;
    if (isManualEdit(version)) {
      edits = { ...(edits ?? version), older };
      if (!older || !isManualEdit(older)) {
        const was = older && versionIdentity(older);
        const isUndone = commands.some((one) => versionIdentity(one) === was);
        if (!isUndone) edit = { ...(edit ?? edits), older };
        edits = undefined;
      }
    }
    // Only these commands change the fields of a client. One without an older version creates it.
    else if (!older || isPublication(version, older)) break;
    else commands.push(version);
    if (++read === MAX_VERSIONS) {
      const newest = edit ?? edits;
      return newest && { ...newest, older: undefined };
    }
  }
  return edit;
}

/** True unless a command changed only who may call, or only a rollout. */
function isPublication(version: ListedVersion, older: Version): boolean {
  return (
    fieldsIdentity(version) !== fieldsIdentity(older) ||
    !version.effects.some((one) => isOfRollout(one) || isOfAccess(one))
  );
}

/** True for a change that no command made. The first version of a client is no edit. */
export function isManualEdit({ version, source }: Version): boolean {
  return version > 1 && source === 'manualEdit';
}

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
  { id }: Pick<LastChange, 'id'>,
  signal?: AbortSignal,
  milliseconds = WAIT_MS,
): Promise<Version | undefined> {
  // A manual edit that follows keeps the id.
  const isWanted = ({ changeId, source }: Version) => changeId === id && source === 'published';
  return waitFor(table, clientId, (newest) => newest.find(isWanted), milliseconds, signal);
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
