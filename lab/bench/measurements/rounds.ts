/** Measurements of one thing, one for each round. */
export type Samples = readonly number[];

/**
 * The order of a round. Each candidate follows each other one about equally often, because it
 * inherits the effects of the one before it on the machine. Source: E. J. Williams, "Experimental
 * Designs Balanced for the Estimation of Residual Effects of Treatments", 1949.
 */
export function inTurn<T>(all: Iterable<T>, round: number): T[] {
  const items = [...all];
  // 0, 1, -1, 2, -2 and so on: the distances between neighbours differ, and each round begins with
  // another candidate.
  const places = items.map((_, index) => {
    const step = index % 2 === 1 ? (index + 1) / 2 : -index / 2;
    return (step + round) % items.length;
  });
  // With an odd number of candidates, half of the pairs only become neighbours in the reversed
  // order.
  const isReversed = Math.floor(round / items.length) % 2 !== 0;
  return (isReversed ? places.reverse() : places).map((place) => items.at(place) as T);
}

/** Measures all candidates in each round, and returns the samples of each. */
export async function samplesInTurn<T, TSample>(
  all: readonly T[],
  rounds: number,
  measure: (one: T) => Promise<TSample>,
): Promise<(one: T) => readonly TSample[]> {
  const samples = new Map(all.map((one) => [one, [] as TSample[]]));
  for (let round = 0; round < rounds; round++) {
    for (const one of inTurn(all, round)) samples.get(one)?.push(await measure(one));
  }
  return (one) => samples.get(one) ?? [];
}

/** Turns a sample of all parts for each round into the samples of each part. */
export function byPart<TPart extends string>(
  parts: readonly TPart[],
  samples: readonly Readonly<Record<TPart, number>>[],
): Readonly<Record<TPart, Samples>> {
  const entries = parts.map((part) => [part, samples.map((sample) => sample[part])] as const);
  return Object.fromEntries<Samples>(entries) as Record<TPart, Samples>;
}
