import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { readClient, type StoredClient } from 'customer-data-api/clients';
import type { Rollout } from 'customer-data-api/configuration';
import { readVersion, type VersionsTable } from 'customer-data-api/history';
import { UsageError } from 'customer-data-api-deployment/program';
import { type Attributes, hasAttributes } from '../clients/change-client.ts';
import {
  ClientConflict,
  DamagedRollout,
  NoRollout,
  NoSuchVersion,
  VersionWithoutFields,
} from '../errors.ts';
import {
  type ClientConfiguration,
  configurationOf,
  type PublishedContent,
  ROLLOUT_ATTRIBUTES,
  storedConfiguration,
} from './stored-configuration.ts';

/** The share of a rollout that starts. */
export type NewRollout = Pick<Rollout, 'percent' | 'devices'>;

/** A rollout that starts, or gets another share. */
export type StartedRollout = NewRollout & Pick<Rollout, 'id'>;

/** The change of an item that has no rollout after it. */
export const NO_ROLLOUT: Attributes = Object.fromEntries(
  ROLLOUT_ATTRIBUTES.map((name) => [name, undefined]),
);

/** A rollout that runs, with both configurations. */
interface RunningRollout {
  readonly rollout: Omit<Rollout, 'candidate'>;
  readonly live: ClientConfiguration;
  readonly candidate: ClientConfiguration;
}

/** Finds the rollout that runs beside a live configuration. Throws NoRollout or DamagedRollout. */
export function runningRollout(live: ClientConfiguration): RunningRollout {
  const { clientId, rollout, damage } = live;
  if (damage !== undefined) throw new DamagedRollout(clientId, damage);
  if (!rollout) throw new NoRollout(clientId);
  return { rollout, live, candidate: storedConfiguration(clientId, rollout.content) };
}

/**
 * Returns the attributes of an item that start a rollout, or give another share to the one that
 * runs. At the start, the live `lastFieldId` rises to that of the candidate: its ids are given,
 * even if it is discarded.
 *
 * @throws UsageError for a rollout that nobody would get, because the service would not read it.
 */
export function rolloutAttributes(
  live: ClientConfiguration,
  candidate: PublishedContent,
  { id, percent, devices }: StartedRollout,
): Attributes {
  const running = live.storedRollout?.rollout?.M;
  const share = marshall(running ? { percent } : { id, percent, devices, base: live.digest });
  const rollout = { M: { ...(running ?? candidate), ...share } };
  const { damage } = configurationOf(readClient({ rollout }));
  if (damage !== undefined) throw new UsageError(`Nobody would get the candidate: ${damage}.`);
  if (running) return { rollout };
  return { ...NO_ROLLOUT, lastFieldId: raisedId(live, candidate), rollout };
}

function raisedId(
  { content: { lastFieldId } }: ClientConfiguration,
  candidate: PublishedContent,
): AttributeValue {
  const isKept = Number(lastFieldId?.N) >= Number(candidate.lastFieldId.N);
  return lastFieldId && isKept ? lastFieldId : candidate.lastFieldId;
}

/**
 * Discards the candidate of the rollout that ran beside `live`, whatever its share is by now. A
 * damaged one, which may have no id, is removed as it was read.
 *
 * @throws NoRollout if it ended, or ClientConflict if a damaged one has changed.
 */
export function withoutRollout(
  { clientId, rollout, storedRollout = {} }: ClientConfiguration,
  now: StoredClient,
): Attributes {
  // A manual edit may have damaged the same one since.
  if (rollout && now.raw.rollout?.M?.id?.S !== rollout.id) throw new NoRollout(clientId);
  if (!rollout && !hasAttributes(now, storedRollout)) throw new ClientConflict(clientId, 'rollout');
  return NO_ROLLOUT;
}

/** Reads the rollout of a version. Throws NoSuchVersion, NoRollout or VersionWithoutFields. */
export async function readRecorded(
  versions: VersionsTable,
  clientId: string,
  number: number,
): Promise<RunningRollout> {
  const version = await readVersion(versions, clientId, number);
  if (!version) throw new NoSuchVersion(clientId, number);
  const { content, candidate, rollout } = version;
  if (!rollout) throw new NoRollout(clientId);
  if (!candidate) throw new VersionWithoutFields(clientId, number, true);
  return {
    rollout,
    live: storedConfiguration(clientId, content),
    candidate: storedConfiguration(clientId, candidate),
  };
}
