import type { Environment } from '../environment/environment.ts';
import { CALLS, type Call, type CalledFunction } from './calls.ts';
import { inTurn, type Samples } from './rounds.ts';
import {
  type CallTimes,
  measureCalls,
  startWarmFunction,
  type WarmFunction,
} from './warm-function.ts';

/** Throughput is measured with each of these numbers of calls in flight. */
export const CONCURRENCIES = [1, 16, 64] as const;

/** After about this many calls, V8 has optimized what they run. */
const WARM_UP = { count: 3000, concurrency: 4 };
/**
 * The speed of a shared machine changes within seconds. With few calls in a round, those of all
 * functions are made at nearly the same speed, and the ratio of two functions does not depend on
 * it.
 */
const CALLS_PER_ROUND = 50;
/** Calls that do not wait for DynamoDB are shorter, so more of them are needed. */
const CACHED_CALLS_PER_ROUND = 500;
/**
 * Throughput and allocated bytes have no limit, so they take fewer rounds; throughput takes so many
 * times as many calls.
 */
const OTHER_ROUNDS = 5;
const THROUGHPUT_FACTOR = 4;

const ALLOCATION_WARM_UP = { count: 100, concurrency: 4 };
const ALLOCATING_CALLS = 100;
/** V8's young generation has room for all that these calls allocate, in megabytes. */
const YOUNG_GENERATION = 256;

/** Warm calls of one function, a sample for each round. Times are in microseconds. */
export interface WarmCalls {
  /** CPU time of a call. */
  readonly cpu: Samples;
  /** Median and 99th percentile of the wall time of calls that are made one after the other. */
  readonly p50: Samples;
  readonly p99: Samples;
  /** Calls per second, by the number of calls in flight. */
  readonly throughput: Readonly<Record<(typeof CONCURRENCIES)[number], Samples>>;
  /** Bytes that a call allocates. */
  readonly bytes: Samples;
}

/** The warm calls of one kind to a candidate. */
export interface WarmFigures {
  readonly candidate: string;
  readonly call: Call;
  readonly measured: WarmCalls;
}

/**
 * Calls the functions that are compared with each other in turn, each in a process of its own. Only
 * these run at a time: the more processes there are, the less of its code each one finds in the
 * caches of the CPU, and the largest one loses most by it.
 */
export async function warmCalls(
  functions: readonly CalledFunction[],
  environment: Environment,
  rounds: number,
): Promise<readonly WarmFigures[]> {
  const figures: WarmFigures[] = [];
  for (const call of CALLS) {
    const compared = functions.filter((one) => one.call === call);
    const samples = await sampleCalls(compared, environment, rounds);
    for (const called of compared) {
      const samplesOf = (part: keyof CallTimes, concurrency: number) =>
        samples
          .filter((sample) => sample.called === called && sample.concurrency === concurrency)
          .map(({ times }) => times[part]);
      const measured = {
        cpu: samplesOf('cpu', 1),
        p50: samplesOf('p50', 1),
        p99: samplesOf('p99', 1),
        throughput: {
          1: samplesOf('throughput', 1),
          16: samplesOf('throughput', 16),
          64: samplesOf('throughput', 64),
        },
        bytes: await allocatedBytes(called, environment, OTHER_ROUNDS),
      };
      figures.push({ candidate: called.bundle.candidate, call, measured });
    }
  }
  return figures;
}

interface Sample {
  readonly called: CalledFunction;
  readonly concurrency: number;
  readonly times: CallTimes;
}

async function sampleCalls(
  functions: readonly CalledFunction[],
  environment: Environment,
  rounds: number,
): Promise<readonly Sample[]> {
  const processes = new Map<CalledFunction, WarmFunction>();
  const samples: Sample[] = [];
  const sample = async (round: number, concurrency: number, factor: number) => {
    for (const [called, warm] of inTurn(processes, round)) {
      const count = factor * (called.isCached ? CACHED_CALLS_PER_ROUND : CALLS_PER_ROUND);
      const times = await measureCalls(warm, called.bundle, environment, { count, concurrency });
      samples.push({ called, concurrency, times });
    }
  };
  try {
    for (const called of functions) {
      const { bundle, variables } = called;
      const warm = await startWarmFunction([bundle], environment, { variables });
      processes.set(called, warm);
      await measureCalls(warm, bundle, environment, WARM_UP);
    }
    for (let round = 0; round < rounds; round++) await sample(round, 1, 1);
    for (let round = 0; round < OTHER_ROUNDS; round++) {
      for (const concurrency of CONCURRENCIES.filter((calls) => calls > 1)) {
        await sample(round, concurrency, THROUGHPUT_FACTOR);
      }
    }
  } finally {
    for (const warm of processes.values()) warm.stop();
  }
  return samples;
}

/**
 * Measured in a process of its own, with a young generation that need not be collected during the
 * calls.
 */
async function allocatedBytes(
  { bundle, variables }: CalledFunction,
  environment: Environment,
  rounds: number,
): Promise<Samples> {
  const flags = ['max', 'min'].map((bound) => `--${bound}-semi-space-size=${YOUNG_GENERATION}`);
  const warm = await startWarmFunction([bundle], environment, { variables, flags });
  const { operation } = bundle;
  try {
    await measureCalls(warm, bundle, environment, ALLOCATION_WARM_UP);
    const samples: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const events = environment.events(operation, ALLOCATING_CALLS);
      const task = { operation, events };
      const { bytes } = await warm.run<{ bytes: number }>('allocate', task);
      samples.push(bytes);
    }
    return samples;
  } finally {
    warm.stop();
  }
}
