/** Measurements of one thing, one for each round. */
export type Samples = readonly number[];

/** What many measurements of one thing come to. */
export interface Summary {
  readonly median: number;
  /** Half of the measurements lie between these. */
  readonly low: number;
  readonly high: number;
}

/** The median of some measurements, with the middle half of them. */
export function summarized(values: Samples): Summary {
  const sorted = [...values].sort((one, other) => one - other);
  const at = (part: number) => sorted[Math.round((sorted.length - 1) * part)] ?? Number.NaN;
  return { median: at(0.5), low: at(0.25), high: at(0.75) };
}

export function median(values: Samples): number {
  return summarized(values).median;
}

/**
 * The ratio of two things that were measured in turns: the median of the rounds' ratios, since what slows a machine
 * down for a while slows both down.
 */
export function ratio(ours: Samples, others: Samples): number {
  return median(ours.map((value, round) => value / (others[round] ?? Number.NaN)));
}

/** As in `12.3 (11.9–13.1)`. */
export function shown(values: Samples, digits = 1): string {
  const { median, low, high } = summarized(values);
  return `${median.toFixed(digits)} (${low.toFixed(digits)}–${high.toFixed(digits)})`;
}
