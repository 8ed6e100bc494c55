import { randomUUID } from 'node:crypto';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { type LastChange, newLastChange, readValue, stopRollout } from 'customer-data-api/clients';
import { type Rollout, readRollout } from 'customer-data-api/configuration';
import {
  contentDigest,
  contentOf,
  readVersion,
  type VersionsTable,
} from 'customer-data-api/history';
import { type Authorship, isLastChange } from '../clients/configs-table.ts';
import { NoRollout, NoSuchVersion, VersionWithoutFields } from '../errors.ts';
import {
  type ConfigurationTables,
  type StoredConfiguration,
  storedConfiguration,
} from './stored-configuration.ts';
import type { PublishedContent } from './with-fields.ts';

/** The share of a rollout that starts. */
export type NewRollout = Pick<Rollout, 'percent' | 'devices' | 'alarm'>;

/** A rollout that runs, with both configurations. */
interface RunningRollout {
  readonly rollout: Rollout;
  readonly live: StoredConfiguration;
  readonly candidate: StoredConfiguration;
}

/** Reads a stored rollout; undefined if there is none, or it is damaged. */
export function rolloutIn(stored: AttributeValue | undefined): Rollout | undefined {
  return readRollout({ rollout: stored && readValue(stored) });
}

/** Finds the rollout that runs beside a live configuration. Throws NoRollout. */
export function runningRollout(live: StoredConfiguration): RunningRollout {
  const { clientId, rollout: stored } = live;
  const rollout = rolloutIn(stored);
  if (!rollout || !stored?.M) throw new NoRollout(clientId);
  return { rollout, live, candidate: storedConfiguration(clientId, contentOf(stored.M)) };
}

/**
 * Returns the attributes of an item that start a rollout, or give another share to the one that
 * runs. At the start, the live `lastFieldId` rises to that of the candidate: its ids are given,
 * even if it is discarded.
 */
export function rolloutAttributes(
  live: StoredConfiguration,
  candidate: PublishedContent,
  { percent, devices, alarm }: NewRollout,
): Record<string, AttributeValue> {
  const running = live.rollout?.M;
  if (running) return { rollout: { M: { ...running, ...marshall({ percent }) } } };
  const base = liveDigest(live, candidate);
  const share = { id: randomUUID(), percent, devices, base, ...(alarm && { alarm }) };
  return {
    lastFieldId: raisedId(live, candidate),
    rollout: { M: { ...candidate, ...marshall(share) } },
    ...(alarm && marshall({ rolloutAlarm: alarm })),
  };
}

/** Returns the digest of what is live once the rollout of a candidate has started. */
export function liveDigest(live: StoredConfiguration, candidate: PublishedContent): string {
  return contentDigest({ ...live.content, lastFieldId: raisedId(live, candidate) });
}

function raisedId(
  { content: { lastFieldId } }: StoredConfiguration,
  candidate: PublishedContent,
): AttributeValue {
  const isKept = Number(lastFieldId?.N) >= Number(candidate.lastFieldId.N);
  return lastFieldId && isKept ? lastFieldId : candidate.lastFieldId;
}

/** Discards the candidate of the rollout that ran beside `live`. Throws NoRollout if it ended. */
export async function discardCandidate(
  tables: ConfigurationTables,
  live: StoredConfiguration,
  change: Authorship,
): Promise<LastChange> {
  const { clientId } = live;
  const { rollout } = runningRollout(live);
  const lastChange = newLastChange(change);
  const table = { dynamodb: tables.dynamodb, tableName: tables.configsTableName };
  const isStopped = await stopRollout(table, { clientId, rolloutId: rollout.id }, lastChange);
  // After a lost response, the AWS SDK repeats the call, which then finds no rollout.
  if (isStopped || (await isLastChange(tables, clientId, lastChange))) return lastChange;
  throw new NoRollout(clientId);
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
  const [live, other] = [content, candidate].map((one) => storedConfiguration(clientId, one));
  const { fields } = other as StoredConfiguration;
  return {
    rollout: { ...rollout, fields: [...fields] },
    live: live as StoredConfiguration,
    candidate: other as StoredConfiguration,
  };
}
