import { hash } from 'node:crypto';
import type { StoredClient } from 'customer-data-api/clients';
import { canonicalJson, type VersionsTable } from 'customer-data-api/history';
import {
  damageOf,
  firstWithRollout,
  isOutdated,
  parseDevices,
  parsePercent,
} from 'customer-data-api-editor/configurations';
import { OperatorError } from 'customer-data-api-editor/errors';
import * as v from 'valibot';
import { comparisonOf } from './review.ts';
import { versionAnswer } from './versions.ts';

/* A rollout that runs, or that is to start. Its changes are publications. */

export const Percent = v.pipe(v.string(), v.transform(parsePercent), v.number());

/** The rollout to start, with a device in each line. */
export const Start = v.strictObject({
  percent: Percent,
  devices: v.pipe(v.string(), v.transform(devicesIn)),
  /** The `state` of the preview that the operator was shown, in whose place it starts. */
  replaces: v.exactOptional(v.string()),
});

function devicesIn(lines: string): readonly string[] {
  return lines.split('\n').flatMap((line) => (line.trim() === '' ? [] : parseDevices(line)));
}

/** Shows the rollout that runs beside what is live; undefined if there is none. */
export async function rolloutAnswer(versions: VersionsTable, client: StoredClient) {
  const { clientId, live, rollout } = client;
  if (!rollout) return undefined;
  const { id, percent, devices, candidate } = rollout;
  const [before, then] = [{ live }, { live: candidate }];
  const { effects, after } = comparisonOf(clientId, ['', before], ['', then]);
  const start = await firstWithRollout(versions, clientId, (one) => one.rollout?.id === id);
  return {
    id,
    percent,
    devices,
    isEdited: isOutdated(rollout, live),
    digest: candidate.digest,
    state: rolloutDigest(client),
    ...(start && { start: versionAnswer(start) }),
    effects,
    candidate: after,
  };
}

/** Shows a damaged rollout, which can only be stopped; undefined if there is none. */
export function damageAnswer(client: StoredClient) {
  const damage = damageOf(client);
  return damage === undefined ? undefined : { id: idOf(client), damage };
}

/**
 * Fails if another rollout runs than the operator has seen or, unless it is to be stopped, if its
 * candidate was edited.
 *
 * @throws OperatorError conflict
 */
export function expectSeen(
  client: StoredClient,
  { id, digest }: { readonly id: string; readonly digest?: string },
): void {
  const { clientId, rollout, damage } = client;
  if (!rollout && !damage) return;
  const isSeen =
    idOf(client) === id && (digest === undefined || digest === rollout?.candidate.digest);
  if (!isSeen) throw new OperatorError('conflict', { clientId, part: 'rollout' });
}

/** Fails if a rollout would start in the place of one that the operator was not shown. */
export function expectShown(client: StoredClient, { replaces }: v.InferOutput<typeof Start>): void {
  if (!client.rollout || rolloutDigest(client) === replaces) return;
  throw new OperatorError('conflict', { clientId: client.clientId, part: 'rollout' });
}

/** Identifies a rollout. A damaged one may have no id. */
function idOf(client: StoredClient): string {
  return client.rollout?.id ?? rolloutDigest(client);
}

/** Identifies a rollout as it is stored. */
export function rolloutDigest(client: StoredClient): string {
  return hash('sha256', canonicalJson(client.raw.rollout));
}
