import { type Bundles, OPERATIONS } from '../candidates/candidate.ts';
import type { Environment } from '../environment/environment.ts';
import { startWarmFunction } from './warm-function.ts';

/** Memory is measured after each of these numbers of calls. */
const CALLS = [0, 10_000, 1_000_000] as const;
const EVENTS = 200;

/** Memory of a process after a number of calls, in megabytes. */
export interface MemoryFigures {
  readonly calls: number;
  /** On the heap and outside it, after garbage collections. */
  readonly inUse: number;
  /** Resident set size. */
  readonly rss: number;
}

/** Calls both operations in one process, and measures its memory. */
export async function soak(
  bundles: Bundles,
  environment: Environment,
): Promise<readonly MemoryFigures[]> {
  const events = Object.fromEntries(
    OPERATIONS.map((operation) => [
      operation,
      environment.events(operation, EVENTS).map((event) => JSON.stringify(event)),
    ]),
  );
  const warm = await startWarmFunction(Object.values(bundles), environment);
  try {
    const task = { events, after: CALLS };
    const memory = await warm.run<readonly { inUse: number; rss: number }[]>('soak', task);
    const megabytes = (bytes: number) => bytes / 1024 / 1024;
    return memory.map(({ inUse, rss }, index) => ({
      calls: CALLS[index] ?? 0,
      inUse: megabytes(inUse),
      rss: megabytes(rss),
    }));
  } finally {
    await warm.stop();
  }
}
