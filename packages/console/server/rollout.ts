import { suggested, UsageError } from 'customer-data-api-deployment/program';
import {
  ClientConflict,
  countGroups,
  parseDevice,
  parsePercent,
  rolloutIn,
  runningRollout,
  type StoredConfiguration,
} from 'customer-data-api-operator';
import * as v from 'valibot';
import type { Review, Rollout, RolloutCounts } from '../page/src/types.ts';
import type { Call } from './call.ts';
import { comparisonOf } from './review.ts';

/* A rollout that runs, or that is to start. Its changes are publications. */

export const Percent = v.pipe(v.string(), v.transform(parsePercent), v.number());

/** The rollout to start, with a device in each line. */
export const Start = v.object({
  percent: Percent,
  devices: v.pipe(v.string(), v.transform(devicesIn)),
  alarm: v.exactOptional(v.string()),
});

function devicesIn(lines: string): string[] {
  const devices = lines.split('\n').flatMap((line) => {
    if (line.trim() === '') return [];
    const device = parseDevice(line);
    if (device === undefined) throw new UsageError(`“${line.trim()}” names no single device.`);
    return [device];
  });
  return [...new Set(devices)];
}

/** What an operator needs to start a rollout of a draft. */
export function startOf(
  { env: { deployment } }: Call,
  clientId: string,
): NonNullable<Review['start']> {
  const alarms = deployment.outputs.RolloutAlarms?.split(',') ?? [];
  const options = ['--rollout', 'PERCENT', '--device', 'ID'];
  const alarm = alarms.length > 0 ? ['--stop-on-alarm', 'NAME'] : [];
  const words = [`${clientId}.yaml`, ...options, ...alarm, '-m', 'MESSAGE'];
  return { alarms, command: suggested('config', 'publish', ...words) };
}

/** Shows the rollout that runs beside what is live; undefined if there is none. */
export function shownRollout(stored: StoredConfiguration): Rollout | undefined {
  if (!rolloutIn(stored.rollout)) return undefined;
  const { rollout, live, candidate } = runningRollout(stored);
  const { clientId } = live;
  const { id, percent, devices, alarm, base } = rollout;
  const { changes, after } = comparisonOf([clientId, live], ['the candidate', candidate]);
  const message = ['-m', 'MESSAGE'];
  return {
    id,
    percent,
    devices,
    ...(alarm !== undefined && { alarm }),
    isEdited: base !== undefined && base !== live.digest,
    digest: candidate.digest,
    changes,
    candidate: after,
    commands: {
      widen: suggested('rollout', 'widen', clientId, 'PERCENT', ...message),
      stop: suggested('rollout', 'stop', clientId, ...message),
    },
  };
}

/** Counts the responses to the groups of all rollouts of the deployment. */
export async function rolloutCounts({ env: { deployment } }: Call): Promise<Response> {
  const [hour, day] = await Promise.all([1, 24].map((hours) => countGroups(deployment, hours)));
  const unknown = [hour, day].find((counts) => typeof counts === 'string');
  const counts = unknown === undefined ? { hour, day } : { unknown };
  return Response.json(counts as RolloutCounts);
}

/** Throws ClientConflict if another rollout runs than the operator has seen. */
export function expectSeen({ clientId, rollout }: StoredConfiguration, id: string): void {
  if (rolloutIn(rollout)?.id !== id) throw new ClientConflict(clientId, 'rollout');
}
