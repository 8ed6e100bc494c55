import { hash } from 'node:crypto';

/**
 * Returns a generator of pseudo-random numbers from 0 to 1 (exclusive). The same seed gives the
 * same numbers.
 */
export function randomNumbers(seed: string): () => number {
  let drawn = 0;
  return () => {
    const digest = hash('sha256', `${seed} ${drawn++}`, 'buffer');
    return digest.readUInt32BE() / 2 ** 32;
  };
}

/** Picks one of some values by a number from 0 to 1 (exclusive). */
export function pick<T>(values: readonly T[], number: number): T {
  return values[Math.floor(number * values.length)] as T;
}
