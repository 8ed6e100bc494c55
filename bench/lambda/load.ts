import { setTimeout } from 'node:timers/promises';
import type { Bundles } from '../candidates/candidate.ts';
import type { Environment } from '../environment/environment.ts';
import { arrivals, type LoadStage } from './arrivals.ts';
import { type CpuGroups, cpuShare } from './cpu-groups.ts';
import { startExecutionEnvironment } from './execution-environment.ts';
import { Fleet } from './fleet.ts';
import { JUDGED_MEGABYTES, withMemory } from './memory.ts';

/**
 * The shape of a campaign: a push message, which many phones show at once. About one call in sixty
 * starts an environment.
 */
export const CAMPAIGN: readonly LoadStage[] = [
  { seconds: 3, from: 1, to: 30 },
  { seconds: 4, from: 30, to: 30 },
  { seconds: 8, from: 30, to: 1 },
];

/**
 * The part of a CPU that stands for one of Lambda's. With it, the environments that start at the
 * same time fit on two processors.
 */
export const SCALE = 0.5;
/** How long after the last call the last answer may arrive, in milliseconds. */
const PATIENCE_MS = 60_000;

/** The results of a campaign for a fleet. */
export interface LoadFigures {
  readonly candidate: string;
  readonly answers: number;
  readonly errors: number;
  /** How many execution environments were started. */
  readonly starts: number;
  /**
   * From the intended send time of each call to its answer, in milliseconds. An error counts as
   * infinite, so that failing fast does not help.
   */
  readonly latencies: readonly number[];
}

/** Sends a campaign to a fleet of promoCode/apply. */
export async function underLoad(
  bundles: Bundles,
  environment: Environment,
  groups: CpuGroups,
): Promise<LoadFigures> {
  const { 'apply-promo-code': bundle } = bundles;
  const fleet = new Fleet(() =>
    startExecutionEnvironment(bundle, groups, {
      variables: withMemory(environment.variables(bundle.operation), JUDGED_MEGABYTES),
      share: SCALE * cpuShare(JUDGED_MEGABYTES),
      initialShare: SCALE,
    }),
  );
  const due = arrivals(CAMPAIGN);
  return sendAll(bundle.candidate, fleet, environment.events(bundle.operation, due.length), due);
}

/**
 * Sends each event to a fleet when it is due, whatever became of the earlier ones. Stops the fleet.
 *
 * @param due in milliseconds after the start.
 * @throws Error when an answer does not arrive, even some time after the last call.
 */
export async function sendAll(
  candidate: string,
  fleet: Pick<Fleet, 'call' | 'starts' | 'stop'>,
  events: readonly object[],
  due: readonly number[],
): Promise<LoadFigures> {
  const patience = new AbortController();
  try {
    const start = performance.now();
    const sent = due.map(async (ms, index) => {
      await setTimeout(Math.max(0, start + ms - performance.now()));
      const isAnswered = await fleet.call(events[index] ?? {});
      const latency = performance.now() - start - ms;
      return { isAnswered, latency: isAnswered ? latency : Number.POSITIVE_INFINITY };
    });
    const outOfPatience = setTimeout((due.at(-1) ?? 0) + PATIENCE_MS, undefined, {
      signal: patience.signal,
    }).then(() => {
      throw new Error(`${candidate} did not answer all calls.`);
    });
    outOfPatience.catch(() => {});
    const results = await Promise.race([Promise.all(sent), outOfPatience]);
    return {
      candidate,
      answers: results.filter(({ isAnswered }) => isAnswered).length,
      errors: results.filter(({ isAnswered }) => !isAnswered).length,
      starts: fleet.starts,
      latencies: results.map(({ latency }) => latency),
    };
  } finally {
    patience.abort();
    await fleet.stop();
  }
}

/** Adds up the rounds of each candidate. */
export function addedUp(rounds: readonly LoadFigures[]): readonly LoadFigures[] {
  return [...Map.groupBy(rounds, ({ candidate }) => candidate)].map(([candidate, own]) => ({
    candidate,
    answers: own.reduce((sum, { answers }) => sum + answers, 0),
    errors: own.reduce((sum, { errors }) => sum + errors, 0),
    starts: own.reduce((sum, { starts }) => sum + starts, 0),
    latencies: own.flatMap(({ latencies }) => latencies),
  }));
}
