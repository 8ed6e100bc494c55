import type { ClientState, StoredClient, StoredConfiguration } from 'customer-data-api/clients';
import { briefEffects, compare, type Effect, isOfCustomers } from 'customer-data-api/effects';
import {
  listVersions,
  readVersion,
  stateOfVersion,
  type Version,
  type VersionsTable,
} from 'customer-data-api/history';
import { configurationConflict, OperatorError, type RecentChanges } from '../errors.ts';
import type { UndoObstacle } from '../words.ts';
import { liveVersion, waitForContent } from './history.ts';
import { undoObstacle } from './undo-obstacle.ts';

/** Time to wait for the version of the last change, only to name it. In milliseconds. */
const WAIT_MS = 3000;
/** The number of versions whose changes are described. */
const DESCRIBED_VERSIONS = 5;

/**
 * Reads the changes of a configuration since it had the digest `base`: authors, times and effects.
 *
 * @throws OperatorError configurationConflict if no recorded version has this digest.
 */
export async function changesSince(
  table: VersionsTable,
  base: string,
  client: StoredClient,
): Promise<RecentChanges> {
  const { clientId } = client;
  const { digest } = client.live;
  // An earlier version may have the same content, but is not the latest change.
  const live = await waitForContent(table, clientId, digest, WAIT_MS);
  const versions: Version[] = [];
  for await (const version of listVersions(table, clientId)) {
    if (version.digest !== base) {
      versions.push(version);
      continue;
    }
    const isRecorded = live || versions.some((change) => change.digest === digest);
    const described = await describe(table, version, versions, isRecorded ? undefined : client);
    return { base: version, versions, described };
  }
  const made = live && (await liveVersion(table, { clientId, digest }));
  throw configurationConflict(clientId, { kind: 'unknownBase', live: made });
}

/**
 * Describes each change since `base`. `versions` are the newest first; `unrecorded` is the client
 * if its last change is not in the history yet.
 */
async function describe(
  table: VersionsTable,
  base: Version,
  versions: readonly Version[],
  unrecorded: ClientState | undefined,
): Promise<RecentChanges['described']> {
  const steps: { version: Version | undefined; state: ClientState | undefined }[] =
    await Promise.all(
      [...versions, base]
        .slice(0, DESCRIBED_VERSIONS + 1)
        .map(async (version) => ({ version, state: await stateAt(table, version) })),
    );
  if (unrecorded) steps.unshift({ version: undefined, state: unrecorded });
  return steps.slice(0, -1).map(({ version, state }, index) => {
    const effects = effectsIfKnown(steps[index + 1]?.state, state);
    return { version, effects: effects && ofCustomers(effects) };
  });
}

/** Compares a client at two versions; undefined if their contents are not recorded. */
export async function effectsBetween(
  table: VersionsTable,
  before: Version,
  after: Version,
): Promise<readonly Effect[] | undefined> {
  return effectsIfKnown(await stateAt(table, before), await stateAt(table, after));
}

function effectsIfKnown(
  before: ClientState | undefined,
  after: ClientState | undefined,
): readonly Effect[] | undefined {
  return before?.live.content && after?.live.content && compare(before, after);
}

/** Lists the effects on customers, those with the candidate of a rollout or all others. */
function ofCustomers(effects: readonly Effect[], isOfCandidate = false): Effect[] {
  return briefEffects(
    effects.filter((one) => isOfCustomers(one) && !!one.isOfCandidate === isOfCandidate),
  );
}

/**
 * The changes by a version, or why they are unknown: a content that is too large is not recorded.
 */
export type VersionEffects = (
  | { readonly effects: readonly Effect[] }
  | { readonly unknown: 'oldest' | 'tooLarge' | 'tooLargeBefore' }
) & {
  /** The changes by the candidate of its rollout. */
  readonly candidate?: readonly Effect[];
  /** The reason why it cannot be undone alone. */
  readonly notUndone?: UndoObstacle;
};

/**
 * Describes what a version changed for customers, and its candidate. Throws OperatorError.
 *
 * @param live what is live; undefined if the client was removed.
 */
export async function effectsOfVersion(
  table: VersionsTable,
  clientId: string,
  number: number,
  live?: StoredConfiguration,
): Promise<VersionEffects> {
  const version = await readVersion(table, clientId, number);
  if (!version) throw new OperatorError('noSuchVersion', { clientId, version: number });
  if (version.isTooLarge) return { unknown: 'tooLarge' };
  const before = await readVersion(table, clientId, number - 1);
  const obstacle = live ? undoObstacle(version, before, live) : 'removed';
  const notUndone = obstacle && { notUndone: obstacle };
  const effects = compare(before && stateOfVersion(before), stateOfVersion(version));
  const candidate = version.candidate && { candidate: ofCustomers(effects, true) };
  const others = { ...candidate, ...notUndone };
  if (!before) return { unknown: 'oldest', ...others };
  if (before.isTooLarge) return { unknown: 'tooLargeBefore', ...others };
  return { effects: ofCustomers(effects), ...others };
}

/** Reads the state of a client at a version, with its content. */
async function stateAt(
  table: VersionsTable,
  { clientId, version }: Version,
): Promise<ClientState | undefined> {
  const found = await readVersion(table, clientId, version);
  return found && stateOfVersion(found);
}
