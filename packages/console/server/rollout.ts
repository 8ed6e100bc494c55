import { expectCurrentRelease } from 'customer-data-api-deployment';
import { appsHaveItBy } from 'customer-data-api-deployment/outputs';
import { suggested, UsageError } from 'customer-data-api-deployment/program';
import {
  ClientConflict,
  countGroups,
  discardCandidate,
  expectStoppingAlarm,
  expectWidenable,
  type NewRollout,
  parseDevice,
  parsePercent,
  readRunning,
  rolloutIn,
  runningRollout,
  type StoredConfiguration,
  widenRollout,
} from 'customer-data-api-operator';
import * as v from 'valibot';
import type { Changed, Review, Rollout, RolloutCounts } from '../page/src/types.ts';
import { type Call, clientIdOf, Message, readBody } from './call.ts';
import { comparisonOf } from './review.ts';

/* A rollout that runs, and its changes. To start and to finish one are publications. */

const Percent = v.pipe(v.string(), v.transform(parsePercent), v.number());

/** The rollout to start, as the operator has entered it. */
export const Start = v.object({
  percent: Percent,
  /** A device in each line. */
  devices: v.string(),
  alarm: v.exactOptional(v.string()),
});

/** Reads the rollout to start. Throws UsageError, or UserError if its alarm cannot stop it. */
export async function newRollout(
  { env: { deployment } }: Call,
  { percent, devices: lines, alarm }: v.InferOutput<typeof Start>,
): Promise<NewRollout> {
  const devices = lines.split('\n').flatMap((line) => {
    if (line.trim() === '') return [];
    const device = parseDevice(line);
    if (device === undefined) throw new UsageError(`“${line.trim()}” names no single device.`);
    return [device];
  });
  if (alarm !== undefined) await expectStoppingAlarm(deployment, alarm);
  return { percent, devices: [...new Set(devices)], ...(alarm !== undefined && { alarm }) };
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

/** What a change of a rollout has: the one that the operator has seen, and why. */
const Changing = v.object({ id: v.string(), message: Message });

/** Gives the candidate to more devices. */
export async function widen(call: Call): Promise<Response> {
  const { tables, deployment } = call.env;
  const { percent, ...change } = await readBody(
    call,
    v.object({ ...Changing.entries, percent: Percent }),
  );
  const running = await runningFor(call, change.id);
  await expectWidenable(deployment, running.rollout, percent);
  return changed(call, await widenRollout(tables, running, percent, await changeOf(call, change)));
}

/** Discards the candidate. */
export async function stop(call: Call): Promise<Response> {
  const change = await readBody(call, Changing);
  const running = await runningFor(call, change.id);
  return changed(
    call,
    await discardCandidate(call.env.tables, running, await changeOf(call, change)),
  );
}

async function runningFor(call: Call, id: string) {
  expectCurrentRelease(call.env.deployment);
  const running = await readRunning(call.env.tables, clientIdOf(call));
  expectSeen(running.live, id);
  return running;
}

/** Throws ClientConflict if another rollout runs than the operator has seen. */
export function expectSeen({ clientId, rollout }: StoredConfiguration, id: string): void {
  if (rolloutIn(rollout)?.id !== id) throw new ClientConflict(clientId, 'rollout');
}

async function changeOf({ env }: Call, { message }: { readonly message: string }) {
  return { by: await env.author(), message };
}

function changed({ env: { deployment } }: Call, { at }: { readonly at: string }): Response {
  const liveAt = appsHaveItBy(deployment.outputs, at).toISOString();
  return Response.json({ liveAt } satisfies Changed);
}
