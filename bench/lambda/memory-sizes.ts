import { setTimeout } from 'node:timers/promises';
import { type Bundles, OPERATIONS, type Operation } from '../candidates/candidate.ts';
import type { Environment } from '../environment/environment.ts';
import { inTurn, type Samples } from '../measurements/rounds.ts';
import { type CpuGroups, cpuShare } from './cpu-groups.ts';
import { startExecutionEnvironment } from './execution-environment.ts';
import { withMemory } from './memory.ts';
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
  /** Of each start. */
  readonly initialisation: Samples;
  readonly first: Samples;
  /** Of each warm call. */
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
    MEMORY_SIZES.map((megabytes) => ({
      ...{ megabytes, operation },
      initialisation: [] as number[],
      first: [] as number[],
      warm: [] as number[],
    })),
  );
  for (let round = 0; round < rounds; round++) {
    for (const { megabytes, operation, initialisation, first, warm } of inTurn(all, round)) {
      const bundle = ours[operation];
      const started = await startExecutionEnvironment(bundle, groups, {
        variables: withMemory(environment.variables(operation), megabytes),
        share: cpuShare(megabytes),
      });
      try {
        initialisation.push(started.initialised);
        const events = environment.events(operation, 1 + WARM_UP + WARM_CALLS);
        for (const [index, event] of events.entries()) {
          const ms = await timeOf(started, event, bundle);
          if (index === 0) first.push(ms);
          if (index > WARM_UP) warm.push(ms);
          await setTimeout(Math.random() * MAX_PAUSE_MS);
        }
      } finally {
        await started.stop();
      }
    }
  }
  return all;
}
