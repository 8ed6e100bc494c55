import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Bundle, Operation } from './candidates.ts';
import { inTurn, type Samples } from './statistics.ts';
import type { World } from './world.ts';

const START = fileURLToPath(new URL('warm-start.mjs', import.meta.url));
/** How many calls are made at a time. */
export const CONCURRENCIES = [1, 16, 64] as const;
const WARM_UP_CALLS = 400;
const CALLS = 200;
/** Of a call that makes none of DynamoDB. */
const CACHED_CALLS = 2000;
const ALLOCATING_CALLS = 100;
/** Room for what these allocate, in megabytes. */
const ROOM = 256;

/** A process with a function in it that is warm. */
export interface Warm {
  // biome-ignore lint/suspicious/noExplicitAny: what goes in and comes out is in warm-start.mjs
  readonly ask: (task: object) => Promise<any>;
  readonly stop: () => void;
}

/** @param variables are added to the environment of the functions. */
export async function startWarm(
  bundles: readonly Bundle[],
  world: World,
  variables: NodeJS.ProcessEnv = {},
  flags: readonly string[] = [],
): Promise<Warm> {
  const modules = bundles.map(({ operation, folder }) => [operation, join(folder, 'index.mjs')]);
  const environments = bundles.map(({ operation }) => world.environment(operation));
  const child = fork(START, [JSON.stringify(Object.fromEntries(modules))], {
    env: Object.assign({}, ...environments, variables),
    execArgv: ['--expose-gc', ...flags],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  // What a function logs is of no interest, unless it ends.
  let lastLogged = '';
  child.stderr?.on('data', (logged) => {
    lastLogged = String(logged);
  });
  const ended = once(child, 'exit').then(() => {
    throw new Error(`${bundles[0]?.contestant} has ended during a measurement. ${lastLogged}`);
  });
  const answered = async () => (await Promise.race([once(child, 'message'), ended]))[0];
  await answered();
  return {
    ask: (task) => {
      child.send(task);
      return answered();
    },
    stop: () => {
      ended.catch(() => {});
      child.disconnect();
    },
  };
}

/** Something to measure: a function, and how it is called. */
export interface Subject {
  readonly bundle: Bundle;
  /** Differs from the environment that the stack gives. */
  readonly variables?: NodeJS.ProcessEnv;
  /** Whether its calls are answered without DynamoDB. */
  readonly isCached: boolean;
}

/** What was measured of a function that is warm, a sample for each round. */
export interface WarmCalls {
  /** CPU time of a call, in microseconds. */
  readonly cpu: Samples;
  /** Wall time of calls that are made one after the other, in microseconds: of the median one, and of the 99th of 100. */
  readonly p50: Samples;
  readonly p99: Samples;
  /** Calls a second, by how many are made at a time. */
  readonly throughput: Readonly<Record<(typeof CONCURRENCIES)[number], Samples>>;
  /** Allocated for a call. */
  readonly bytes: Samples;
}

interface Measured {
  readonly cpu: number;
  readonly p50: number;
  readonly p99: number;
  readonly throughput: number;
  /** Of the last answer. */
  readonly answerBytes: number;
}

/** Calls all subjects in turns, each in a process of its own. */
export async function warmCalls(
  subjects: readonly Subject[],
  world: World,
  rounds: number,
): Promise<ReadonlyMap<Subject, WarmCalls>> {
  const processes = new Map<Subject, Warm>();
  const taken: { subject: Subject; concurrency: number; measured: Measured }[] = [];
  try {
    for (const subject of subjects) {
      const warm = await startWarm([subject.bundle], world, subject.variables);
      processes.set(subject, warm);
      await measure(warm, subject.bundle.operation, world, WARM_UP_CALLS, 4);
    }
    for (let round = 0; round < rounds; round++) {
      for (const [subject, warm] of inTurn(processes, round)) {
        const count = subject.isCached ? CACHED_CALLS : CALLS;
        for (const concurrency of CONCURRENCIES) {
          const { operation } = subject.bundle;
          const measured = await measure(warm, operation, world, count, concurrency);
          taken.push({ subject, concurrency, measured });
        }
      }
    }
  } finally {
    for (const warm of processes.values()) warm.stop();
  }
  const all = new Map<Subject, WarmCalls>();
  for (const subject of subjects) {
    const samples = (part: keyof Measured, concurrency: number) =>
      taken
        .filter((sample) => sample.subject === subject && sample.concurrency === concurrency)
        .map(({ measured }) => measured[part]);
    all.set(subject, {
      cpu: samples('cpu', 1),
      p50: samples('p50', 1),
      p99: samples('p99', 1),
      throughput: {
        1: samples('throughput', 1),
        16: samples('throughput', 16),
        64: samples('throughput', 64),
      },
      bytes: await allocations(subject, world, rounds),
    });
  }
  return all;
}

/** In a process of its own, which has room for all that is allocated: nothing is collected meanwhile. */
async function allocations(subject: Subject, world: World, rounds: number): Promise<Samples> {
  const { bundle, variables } = subject;
  const room = [`--max-semi-space-size=${ROOM}`, `--min-semi-space-size=${ROOM}`];
  const warm = await startWarm([bundle], world, variables, room);
  try {
    await measure(warm, bundle.operation, world, ALLOCATING_CALLS, 4);
    const samples: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const events = world.events(bundle.operation, ALLOCATING_CALLS);
      const { bytes } = await warm.ask({ kind: 'allocate', operation: bundle.operation, events });
      samples.push(bytes);
    }
    return samples;
  } finally {
    warm.stop();
  }
}

/** Calls a function with so many events, so many at a time. */
export async function measure(
  warm: Warm,
  operation: Operation,
  world: World,
  count: number,
  concurrency: number,
  clientId?: string,
): Promise<Measured> {
  const events = world.events(operation, count, clientId);
  return warm.ask({ kind: 'measure', operation, events, concurrency });
}
