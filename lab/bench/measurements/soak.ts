import { type Bundles, OPERATIONS } from '../candidates/candidate.ts';
import type { Environment } from '../environment/environment.ts';
import { startWarmFunction } from './warm-function.ts';

/** Memory is measured after each of these numbers of calls. */
export const FEW_CALLS = 10_000;
export const MANY_CALLS = 1_000_000;
const EVENTS = 200;

/**
 * Calls both operations in one process.
 *
 * @returns the bytes on the heap and outside it after each number of calls.
 */
export async function soak(
  bundles: Bundles,
  environment: Environment,
): Promise<Readonly<Record<number, number>>> {
  const events = Object.fromEntries(
    OPERATIONS.map((operation) => [
      operation,
      environment.events(operation, EVENTS).map((event) => JSON.stringify(event)),
    ]),
  );
  const warm = await startWarmFunction(Object.values(bundles), environment);
  try {
    const after = [FEW_CALLS, MANY_CALLS];
    const memory = await warm.run<readonly number[]>('soak', { events, after });
    return Object.fromEntries(after.map((calls, index) => [calls, memory[index] ?? Number.NaN]));
  } finally {
    await warm.stop();
  }
}
