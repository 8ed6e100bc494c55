import { setTimeout } from 'node:timers/promises';
import { type Bundles, OPERATIONS, type Operation } from '../candidates/candidate.ts';
import type { Environment } from '../environment/environment.ts';
import { type Samples, samplesInTurn } from '../measurements/rounds.ts';
import type { CpuGroups } from './cpu-groups.ts';
import { startExecutionEnvironment } from './execution-environment.ts';
import { cpuShare } from './memory.ts';
import { timeOf } from './starts.ts';

/** In megabytes. The largest has a whole CPU. */
export const MEMORY_SIZES = [256, 512, 1024, 1769] as const;

const WARM_UP = 20;
const WARM_CALLS = 200;
/**
 * The longest pause between two warm calls, in milliseconds. It is random, so that calls begin
 * anywhere in the period of 20 ms after which a process gets its share again.
 */
const MAX_PAUSE_MS = 40;

/** One operation of ours with one memory size. Times are in milliseconds. */
export interface MemorySizeFigures {
  readonly megabytes: number;
  readonly operation: Operation;
  /** One per start. */
  readonly initialisation: Samples;
  readonly first: Samples;
  /** One per warm call. */
  readonly warm: Samples;
}

/** Starts our functions with each memory size in turn, and makes warm calls. */
export async function memorySizes(
  ours: Bundles,
  environment: Environment,
  groups: CpuGroups,
  rounds: number,
): Promise<readonly MemorySizeFigures[]> {
  const all = OPERATIONS.flatMap((operation) =>
    MEMORY_SIZES.map((megabytes) => ({ megabytes, operation })),
  );
  const samplesOf = await samplesInTurn(all, rounds, async ({ megabytes, operation }) => {
    const bundle = ours[operation];
    const variables = environment.variables(operation, megabytes);
    const limit = { groups, share: cpuShare(megabytes) };
    const started = await startExecutionEnvironment(bundle, variables, limit);
    try {
      const calls: number[] = [];
      for (const event of environment.events(operation, 1 + WARM_UP + WARM_CALLS)) {
        calls.push(await timeOf(started, event, bundle));
        await setTimeout(Math.random() * MAX_PAUSE_MS);
      }
      const { initialisation } = started;
      return { initialisation, first: calls[0] ?? Number.NaN, warm: calls.slice(1 + WARM_UP) };
    } finally {
      await started.stop();
    }
  });
  return all.map((one) => ({
    ...one,
    initialisation: samplesOf(one).map(({ initialisation }) => initialisation),
    first: samplesOf(one).map(({ first }) => first),
    warm: samplesOf(one).flatMap(({ warm }) => warm),
  }));
}
