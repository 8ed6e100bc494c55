import { linearRegression, median, quantile } from 'simple-statistics';

/** Measurements of one thing, one for each round. */
export type Samples = readonly number[];

/**
 * The ratio of two things that were measured in turns: the median of the rounds' ratios, since what slows a machine
 * down for a while slows both down.
 */
export function ratio(ours: Samples, others: Samples): number {
  return median(ours.map((value, round) => value / (others[round] ?? Number.NaN)));
}

/** By how much `y` grows when `x` grows by one: the slope of the line that fits best. */
export function slope(points: readonly (readonly [x: number, y: number])[]): number {
  return linearRegression(points.map((point) => [...point])).m;
}

/** The median and the middle half, as in `12.3 (11.9–13.1)`. */
export function shown(values: Samples, digits = 1): string {
  const [low = 0, middle = 0, high = 0] = quantile(values, [0.25, 0.5, 0.75]);
  return `${middle.toFixed(digits)} (${low.toFixed(digits)}–${high.toFixed(digits)})`;
}

/** @throws when there is no such measurement. */
export function present<T>(measurement: T | undefined): T {
  if (measurement === undefined) throw new Error('Something that is reported was not measured.');
  return measurement;
}

/** Forwards in one round and backwards in the next, so that nothing always follows the same. */
export function inTurn<T>(all: Iterable<T>, round: number): T[] {
  return round % 2 === 0 ? [...all] : [...all].reverse();
}
