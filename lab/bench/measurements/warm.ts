import { type Bundles, OPERATIONS, type Operation } from '../candidates/candidate.ts';
import { FLOOR } from '../candidates/candidates.ts';
import { type Environment, READ_ONCE } from '../environment/environment.ts';
import { type Samples, samplesInTurn } from './rounds.ts';
import { measureCalls, startWarmFunction } from './warm-function.ts';

/** The number of calls after which V8 has optimized what they run, roughly. */
const WARM_UP_CALLS = 3000;
/**
 * The speed of a shared machine changes within seconds. With few calls in a round, those of all
 * functions are made at nearly the same speed, and the ratio of two functions does not depend on
 * it. Calls of getConfig are answered from the cache, so more of them are needed.
 */
const CALLS_PER_ROUND = { 'get-config': 500, 'apply-promo-code': 50 };

/** The warm calls of one operation to a candidate. */
export interface WarmFigures {
  readonly candidate: string;
  readonly operation: Operation;
  /** CPU time of a call in each round, in microseconds. */
  readonly cpu: Samples;
}

/**
 * Calls the functions that are compared with each other in turn, each in a process of its own. Only
 * these run at a time: the more processes there are, the less of its code each one finds in the
 * caches of the CPU, and the largest one loses most by it.
 */
export async function warmCalls(
  candidates: readonly Bundles[],
  environment: Environment,
  rounds: number,
): Promise<readonly WarmFigures[]> {
  const figures: WarmFigures[] = [];
  for (const operation of OPERATIONS) {
    await using running = new AsyncDisposableStack();
    const called = [];
    for (const { [operation]: bundle } of candidates) {
      // The floor has no cache, so its getConfig has nothing to be compared with.
      if (operation === 'get-config' && bundle.candidate === FLOOR.name) continue;
      const warm = await startWarmFunction([bundle], environment, READ_ONCE);
      running.defer(warm.stop);
      called.push({ bundle, warm });
      await measureCalls(warm, bundle, environment, WARM_UP_CALLS);
    }
    const samplesOf = await samplesInTurn(called, rounds, ({ bundle, warm }) =>
      measureCalls(warm, bundle, environment, CALLS_PER_ROUND[operation]),
    );
    for (const one of called) {
      figures.push({ candidate: one.bundle.candidate, operation, cpu: samplesOf(one) });
    }
  }
  return figures;
}
