import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import {
  type ClientState,
  type RawItem,
  readClient,
  type StoredClient,
  type StoredConfiguration,
  type StoredRollout,
} from 'customer-data-api/clients';
import { attributePath, type Rollout } from 'customer-data-api/configuration';
import { readVersion, stateOfVersion, type VersionsTable } from 'customer-data-api/history';
import type { ConfigsTable } from 'customer-data-api-deployment';
import { type Attributes, hasAttributes } from '../clients/change-client.ts';
import { readExistingClient } from '../clients/configs-table.ts';
import { OperatorError } from '../errors.ts';
import type { PublishedContent } from './stored-configuration.ts';

/** The share of a rollout that starts. */
export type NewRollout = Pick<Rollout, 'percent' | 'devices'>;

/** A rollout that starts, or gets another share. */
export type StartedRollout = NewRollout & Pick<Rollout, 'id'>;

/** Says why the attribute `rollout` of a client is not served; undefined if nothing is wrong. */
export function damageOf({ damage }: StoredClient): string | undefined {
  return damage && `${attributePath(damage.path)} ${damage.message}`;
}

/** Finds the rollout of a client that runs. Throws OperatorError. */
export function runningRollout(client: StoredClient): StoredRollout {
  const { clientId, rollout } = client;
  const damage = damageOf(client);
  if (damage !== undefined) throw new OperatorError('damagedRollout', { clientId, damage });
  if (!rollout) throw new OperatorError('noRollout', { clientId });
  return rollout;
}

/** True if what is live has changed since the candidate was made: it would take that back. */
export function isOutdated({ base }: Pick<Rollout, 'base'>, live: StoredConfiguration): boolean {
  return base !== undefined && base !== live.digest;
}

/**
 * Returns the attributes of an item that start a rollout, in the place of a preview, or give
 * another share or a merged candidate to the one that runs. The live `lastFieldId` rises to that of
 * a new candidate: its ids are given, even if it is discarded.
 *
 * @throws OperatorError usage for a rollout that nobody would get.
 */
export function rolloutAttributes(
  { raw, live, rollout: running }: Pick<StoredClient, 'raw' | 'live' | 'rollout'>,
  candidate: PublishedContent,
  { id, percent, devices }: StartedRollout,
): Attributes {
  const { language: _, ...kept } = running?.id === id ? (raw.rollout?.M ?? {}) : {};
  const named = !kept.devices && { devices };
  const share = marshall({ id, percent, ...named, base: live.digest });
  const rollout = { M: { ...kept, ...candidate, ...share } };
  const damage = damageOf(readClient({ rollout }));
  if (damage !== undefined || (percent === 0 && devices.length === 0)) {
    throw new OperatorError('usage', { mistake: 'uselessRollout', damage });
  }
  if (candidate === running?.candidate.content) return { rollout };
  return { lastFieldId: raisedId(raw, candidate), rollout };
}

function raisedId({ lastFieldId }: RawItem, candidate: PublishedContent): AttributeValue {
  const isKept = Number(lastFieldId?.N) >= Number(candidate.lastFieldId.N);
  return lastFieldId && isKept ? lastFieldId : candidate.lastFieldId;
}

/**
 * Discards the candidate of the rollout that ran, whatever its share is by now. A damaged one,
 * which may have no id, is removed as it was read.
 *
 * @throws OperatorError noRollout if it ended, or conflict if a damaged one has changed.
 */
export function withoutRollout(before: StoredClient, now: StoredClient): Attributes {
  const { clientId, rollout } = before;
  // A manual edit may have damaged the same one since.
  if (rollout && now.raw.rollout?.M?.id?.S !== rollout.id) {
    throw new OperatorError('noRollout', { clientId });
  }
  if (!rollout && !hasAttributes(now, { rollout: before.raw.rollout })) {
    throw new OperatorError('conflict', { clientId, part: 'rollout' });
  }
  return { rollout: undefined };
}

/** Reads a client with the rollout that runs. Throws OperatorError. */
export async function readRunning(table: ConfigsTable, clientId: string): Promise<WithRollout> {
  const client = await readExistingClient(table, clientId);
  return { live: client.live, rollout: runningRollout(client) };
}

/** Reads the rollout of a version. Throws OperatorError. */
export async function readRecorded(
  versions: VersionsTable,
  clientId: string,
  number: number,
): Promise<WithRollout> {
  const version = await readVersion(versions, clientId, number);
  if (!version) throw new OperatorError('noSuchVersion', { clientId, version: number });
  const state = stateOfVersion(version);
  const { live, rollout } = state;
  if (!rollout) throw new OperatorError('noRollout', { clientId });
  const { candidate } = rollout;
  if (!isKnown(live) || !isKnown(candidate)) {
    throw new OperatorError('versionWithoutFields', {
      clientId,
      version: number,
      isTooLarge: true,
    });
  }
  return { ...state, live, rollout: { ...rollout, candidate } };
}

/** True for a configuration that a version was recorded with. */
function isKnown(one: ClientState['live']): one is StoredConfiguration {
  return one.content !== undefined;
}

/** A rollout and the live configuration beside it, with the content of both. */
interface WithRollout extends ClientState {
  readonly live: StoredConfiguration;
  readonly rollout: Pick<StoredRollout, 'id' | 'percent' | 'devices' | 'base' | 'candidate'>;
}
