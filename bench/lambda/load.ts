import { setTimeout } from 'node:timers/promises';
import type { Bundle, Bundles } from '../candidates/candidate.ts';
import type { Environment } from '../environment/environment.ts';
import { arrivals, type LoadStage } from './arrivals.ts';
import { type CpuGroups, cpuShare } from './cpu-groups.ts';
import { type ExecutionEnvironment, startExecutionEnvironment } from './execution-environment.ts';
import { withMemory } from './memory.ts';

/** The shape of a campaign. */
export const CAMPAIGN: readonly LoadStage[] = [
  { seconds: 30, from: 1, to: 30 },
  { seconds: 20, from: 30, to: 30 },
  { seconds: 10, from: 30, to: 1 },
];

/** The part of a CPU that stands for one of Lambda's. With it, the environments that start at the same time fit on two processors. */
export const SCALE = 0.5;
/** Calls that find so many environments busy are throttled, as by an account's quota: more of them would only slow each other down. */
const MAX_ENVIRONMENTS = 50;
/** How long after the last call the last answer may arrive, in milliseconds. */
const PATIENCE_MS = 60_000;

/** The results of a campaign for a fleet. */
export interface LoadFigures {
  readonly candidate: string;
  readonly answers: number;
  readonly errors: number;
  /** How many execution environments were started. */
  readonly starts: number;
  /** From the intended send time of each call to its answer, in milliseconds. An error counts as infinite, so that failing fast does not help. */
  readonly latencies: readonly number[];
}

/**
 * Sends a campaign to a fleet of promoCode/apply that scales as Lambda does: an environment has one call at a time, and a call that
 * finds all of them busy starts a new one.
 */
export async function underLoad(
  bundles: Bundles,
  environment: Environment,
  groups: CpuGroups,
  megabytes: number,
): Promise<LoadFigures> {
  const fleet = new Fleet(bundles['apply-promo-code'], environment, groups, megabytes);
  try {
    const due = arrivals(CAMPAIGN);
    const events = environment.events('apply-promo-code', due.length);
    const start = performance.now();
    const sent = due.map(async (ms, index) => {
      await setTimeout(Math.max(0, start + ms - performance.now()));
      const isAnswered = await fleet.call(events[index] ?? {});
      const latency = performance.now() - start - ms;
      return { isAnswered, latency: isAnswered ? latency : Number.POSITIVE_INFINITY };
    });
    const patience = new AbortController();
    const outOfPatience = setTimeout((due.at(-1) ?? 0) + PATIENCE_MS, undefined, {
      signal: patience.signal,
    }).then(() => {
      throw new Error(`${fleet.candidate} did not answer all calls.`);
    });
    outOfPatience.catch(() => {});
    const results = await Promise.race([Promise.all(sent), outOfPatience]);
    patience.abort();
    return {
      candidate: fleet.candidate,
      answers: results.filter(({ isAnswered }) => isAnswered).length,
      errors: results.filter(({ isAnswered }) => !isAnswered).length,
      starts: fleet.starts,
      latencies: results.map(({ latency }) => latency),
    };
  } finally {
    await fleet.stop();
  }
}

/** The execution environments of one function. */
class Fleet {
  readonly candidate: string;
  readonly #start: () => Promise<ExecutionEnvironment>;
  readonly #all: Promise<ExecutionEnvironment>[] = [];
  /** The one that was used last comes first. */
  readonly #idle: ExecutionEnvironment[] = [];

  constructor(bundle: Bundle, environment: Environment, groups: CpuGroups, megabytes: number) {
    this.candidate = bundle.candidate;
    this.#start = () =>
      startExecutionEnvironment(bundle, groups, {
        variables: withMemory(environment.variables(bundle.operation), megabytes),
        share: SCALE * cpuShare(megabytes),
        initialShare: SCALE,
      });
  }

  get starts(): number {
    return this.#all.length;
  }

  /** Returns whether the call succeeded. */
  async call(event: object): Promise<boolean> {
    let free = this.#idle.shift();
    if (!free) {
      if (this.#all.length >= MAX_ENVIRONMENTS) return false;
      const started = this.#start();
      this.#all.push(started);
      free = await started;
    }
    const { statusCode } = await free.call(event);
    this.#idle.unshift(free);
    return statusCode === 200;
  }

  async stop(): Promise<void> {
    const started = await Promise.allSettled(this.#all);
    await Promise.all(
      started.map((one) => (one.status === 'fulfilled' ? one.value.stop() : undefined)),
    );
  }
}
