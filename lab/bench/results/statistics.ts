import { median, quantile } from 'simple-statistics';
import type { Samples } from '../measurements/rounds.ts';

/** A figure, with the interval that contains it in 95 of 100 runs. */
export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** An estimate that nothing spreads, such as a size. */
export function exactly(value: number): Estimate {
  return { value, low: value, high: value };
}

/**
 * The ratio of two things that were measured in the same rounds: the median of the ratios of the
 * rounds that both took part in. Whatever slows the machine down for a while slows both down. NaN
 * if there is no such round.
 *
 * The interval of a median is that between two of the sorted samples, by the binomial distribution,
 * whatever the distribution of the samples. W. J. Conover, "Practical Nonparametric Statistics".
 */
export function ratio(ours: Samples, others: Samples): Estimate {
  const rounds = Math.min(ours.length, others.length);
  if (rounds === 0) return exactly(Number.NaN);
  const ratios = ours
    .slice(0, rounds)
    .map((value, round) => value / (others[round] ?? Number.NaN))
    .sort((one, other) => one - other);
  const rank = Math.max(0, Math.floor(rounds / 2 - 0.98 * Math.sqrt(rounds)));
  const [low = Number.NaN, high = Number.NaN] = [ratios[rank], ratios[rounds - 1 - rank]];
  return { value: median(ratios), low, high };
}

/** The sums of samples of the same rounds. Their median is not the sum of the medians. */
export function sums(one: Samples, ...others: readonly Samples[]): Samples {
  return one.map((value, round) =>
    others.reduce((sum, samples) => sum + (samples[round] ?? Number.NaN), value),
  );
}

/** The median and the interquartile range, as in `12.3 (11.9–13.1)`. */
export function medianAndQuartiles(values: Samples, digits: number): string {
  const [low = 0, middle = 0, high = 0] = quantile([...values], [0.25, 0.5, 0.75]);
  return `${middle.toFixed(digits)} (${low.toFixed(digits)}–${high.toFixed(digits)})`;
}
