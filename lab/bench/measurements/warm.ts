import type { Environment } from '../environment/environment.ts';
import { CALLS, type Call, type CalledFunction } from './calls.ts';
import { byPart, type Samples, samplesInTurn } from './rounds.ts';
import { measureCalls, startWarmFunction, type WarmFunction } from './warm-function.ts';

/** After about this many calls, V8 has optimized what they run. */
const WARM_UP_CALLS = 3000;
/**
 * The speed of a shared machine changes within seconds. With few calls in a round, those of all
 * functions are made at nearly the same speed, and the ratio of two functions does not depend on
 * it.
 */
const CALLS_PER_ROUND = 50;
/** Calls that do not wait for DynamoDB are shorter, so more of them are needed. */
const CACHED_CALLS_PER_ROUND = 500;
const PARTS = ['cpu', 'p50', 'p99', 'responseBytes'] as const;

/** The warm calls of one kind to a candidate. */
export interface WarmFigures {
  readonly candidate: string;
  readonly call: Call;
  /**
   * For each round: CPU time of a call, and the median and the 99th percentile of its wall time, in
   * microseconds, and the size of a response.
   */
  readonly measured: Readonly<Record<(typeof PARTS)[number], Samples>>;
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
    const running: { readonly called: CalledFunction; readonly warm: WarmFunction }[] = [];
    try {
      for (const called of functions.filter((one) => one.call === call)) {
        const { bundle, variables } = called;
        const warm = await startWarmFunction([bundle], environment, variables);
        running.push({ called, warm });
        await measureCalls(warm, bundle, environment, { count: WARM_UP_CALLS });
      }
      const samplesOf = await samplesInTurn(running, rounds, ({ called, warm }) => {
        const count = called.isCached ? CACHED_CALLS_PER_ROUND : CALLS_PER_ROUND;
        return measureCalls(warm, called.bundle, environment, { count });
      });
      for (const one of running) {
        const { candidate } = one.called.bundle;
        figures.push({ candidate, call, measured: byPart(PARTS, samplesOf(one)) });
      }
    } finally {
      for (const { warm } of running) await warm.stop();
    }
  }
  return figures;
}
