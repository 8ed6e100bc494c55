/** One stage of a load: the rate changes evenly from its beginning to its end. */
export interface LoadStage {
  readonly seconds: number;
  /** Calls per second. */
  readonly from: number;
  readonly to: number;
}

const SEED = 20_261_121;

/**
 * When the calls of an open arrival process are sent, in milliseconds after its start: callers that
 * know nothing of each other, so a Poisson process. They do not depend on when earlier calls are
 * answered, so a slow service does not get fewer calls. Each run has the same times.
 */
export function arrivals(stages: readonly LoadStage[]): readonly number[] {
  const random = randomNumbers(SEED);
  const times: number[] = [];
  let start = 0;
  // Counted in calls: at this number of expected calls since the stage began, the next one is sent.
  let due = exponential(random());
  for (const { seconds, from, to } of stages) {
    const slope = (to - from) / seconds;
    const expected = ((from + to) / 2) * seconds;
    while (due < expected) {
      // Until t, from × t + slope × t² / 2 calls are expected.
      const t = slope === 0 ? due / from : (Math.sqrt(from ** 2 + 2 * slope * due) - from) / slope;
      times.push((start + t) * 1000);
      due += exponential(random());
    }
    due -= expected;
    start += seconds;
  }
  return times;
}

function exponential(uniform: number): number {
  return -Math.log(1 - uniform);
}

/**
 * Numbers from 0 to 1, the same for each seed: a linear congruential generator with the parameters
 * of Numerical Recipes.
 */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
