import { type Bundle, OPERATIONS } from './candidates.ts';
import { startWarm } from './warm.ts';
import type { World } from './world.ts';

/** After how many calls the memory is looked at. */
export const SOAK_CALLS = [0, 10_000, 1_000_000] as const;

/** Memory after so many calls, in megabytes. */
export interface Memory {
  readonly calls: number;
  /** On the heap and beside it, after a garbage collection. */
  readonly inUse: number;
  /** What the process has taken from the system. */
  readonly rss: number;
}

/** Both operations in one process, one call in 50 a promo code, 16 at a time. */
export async function soak(bundles: readonly Bundle[], world: World): Promise<readonly Memory[]> {
  const texts = Object.fromEntries(
    OPERATIONS.map((operation) => [
      operation,
      world.events(operation, 200).map((event) => JSON.stringify(event)),
    ]),
  );
  const warm = await startWarm(bundles, world);
  try {
    const counted: { inUse: number; rss: number }[] = await warm.ask({
      kind: 'soak',
      texts,
      after: SOAK_CALLS,
    });
    const megabytes = (bytes: number) => bytes / 1024 / 1024;
    return counted.map(({ inUse, rss }, index) => ({
      calls: SOAK_CALLS[index] ?? 0,
      inUse: megabytes(inUse),
      rss: megabytes(rss),
    }));
  } finally {
    warm.stop();
  }
}
