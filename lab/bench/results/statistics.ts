import { median, quantile } from 'simple-statistics';
import type { Samples } from '../measurements/rounds.ts';

/**
 * The ratio of two things that were measured in the same rounds: the median of the ratios of the
 * rounds that both took part in. Whatever slows the machine down for a while slows both down. NaN
 * if there is no such round.
 */
export function ratio(ours: Samples, others: Samples): number {
  const rounds = Math.min(ours.length, others.length);
  if (rounds === 0) return Number.NaN;
  return median(ours.slice(0, rounds).map((value, round) => value / (others[round] ?? Number.NaN)));
}

/** The sums of samples of the same rounds. Their median is not the sum of the medians. */
export function sums(one: Samples, ...others: readonly Samples[]): Samples {
  return one.map((value, round) =>
    others.reduce((sum, samples) => sum + (samples[round] ?? Number.NaN), value),
  );
}

/** The median and the interquartile range, as in `12.3 (11.9–13.1)`. */
export function medianAndQuartiles(values: Samples, digits: number): string {
  const [low = 0, middle = 0, high = 0] = quantile(values, [0.25, 0.5, 0.75]);
  return `${middle.toFixed(digits)} (${low.toFixed(digits)}–${high.toFixed(digits)})`;
}
