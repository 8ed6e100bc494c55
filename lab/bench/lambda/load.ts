import { setTimeout } from 'node:timers/promises';
import type { Bundles } from '../candidates/candidate.ts';
import type { Environment } from '../environment/environment.ts';
import { samplesInTurn } from '../measurements/rounds.ts';
import { arrivals, type LoadStage } from './arrivals.ts';
import type { CpuGroups } from './cpu-groups.ts';
import { startExecutionEnvironment } from './execution-environment.ts';
import { Fleet } from './fleet.ts';
import { cpuShare, JUDGED_MEGABYTES } from './memory.ts';

/**
 * The shape of a campaign: a push message, which many phones show at once. About one call in sixty
 * starts an environment.
 */
const CAMPAIGN: readonly LoadStage[] = [
  { seconds: 3, from: 1, to: 30 },
  { seconds: 4, from: 30, to: 30 },
  { seconds: 8, from: 30, to: 1 },
];

/**
 * The part of a CPU that stands for one of Lambda's. With it, the environments that start at the
 * same time fit on two processors.
 */
const SCALE = 0.5;
/** The milliseconds after the last call in which the last answer may arrive. */
const PATIENCE_MS = 60_000;

/** The results of the campaigns of one candidate. */
export interface LoadFigures {
  readonly candidate: string;
  /** The number of execution environments that were started. */
  readonly starts: number;
  /**
   * From the intended send time of each call to its answer, in milliseconds. An error counts as
   * infinite, so that failing fast does not help.
   */
  readonly latencies: readonly number[];
}

/** Sends campaigns to fleets of promoCode/apply of all candidates in turn. */
export async function campaigns(
  candidates: readonly Bundles[],
  environment: Environment,
  groups: CpuGroups,
  rounds: number,
): Promise<readonly LoadFigures[]> {
  const due = arrivals(CAMPAIGN);
  const bundles = candidates.map((candidate) => candidate['apply-promo-code']);
  const samplesOf = await samplesInTurn(bundles, rounds, async (bundle) => {
    const fleet = new Fleet(() =>
      startExecutionEnvironment(bundle, environment.variables(bundle.operation), {
        groups,
        share: SCALE * cpuShare(JUDGED_MEGABYTES),
        initialShare: SCALE,
      }),
    );
    const latencies = await sendAll(fleet, environment.events(bundle.operation, due.length), due);
    return { starts: fleet.starts, latencies };
  });
  return bundles.map((bundle) => ({
    candidate: bundle.candidate,
    starts: samplesOf(bundle).reduce((sum, { starts }) => sum + starts, 0),
    latencies: samplesOf(bundle).flatMap(({ latencies }) => latencies),
  }));
}

/**
 * Sends each event to a fleet when it is due, whatever became of the earlier ones. Stops the fleet.
 *
 * @param due in milliseconds after the start.
 * @returns the latencies.
 * @throws Error when an answer does not arrive, even some time after the last call.
 */
export async function sendAll(
  fleet: Pick<Fleet, 'call' | 'stop'>,
  events: readonly object[],
  due: readonly number[],
): Promise<readonly number[]> {
  try {
    const start = performance.now();
    const sent = due.map(async (ms, index) => {
      await setTimeout(Math.max(0, start + ms - performance.now()));
      const isAnswered = await fleet.call(events[index] ?? {});
      return isAnswered ? performance.now() - start - ms : Number.POSITIVE_INFINITY;
    });
    const outOfPatience = setTimeout((due.at(-1) ?? 0) + PATIENCE_MS, undefined, { ref: false });
    const latencies = await Promise.race([Promise.all(sent), outOfPatience]);
    if (!latencies) throw new Error('The fleet did not answer all calls.');
    return latencies;
  } finally {
    await fleet.stop();
  }
}
