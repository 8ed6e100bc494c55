import type { Codes } from '../answers.ts';

/* What a search of promo codes found, joined and counted. Pure functions. */

const MAX_EVENTS = 1000;
/** The most bars of the chart: a quarter of a year. */
const MAX_BARS = 92;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Joins what was found earlier with the rest. */
export function joined(earlier: Codes | undefined, rest: Codes): Codes {
  if (!earlier) return rest;
  const timeOf = ({ receivedAt = '' }: Codes['events'][number]) => receivedAt;
  const days = { ...earlier.days };
  for (const [day, count] of Object.entries(rest.days)) days[day] = (days[day] ?? 0) + count;
  return {
    ...rest,
    events: [...earlier.events, ...rest.events]
      .sort((one, other) => (timeOf(one) < timeOf(other) ? 1 : -1))
      .slice(0, MAX_EVENTS),
    found: earlier.found + rest.found,
    applied: earlier.applied + rest.applied,
    repeated: earlier.repeated + rest.repeated,
    read: earlier.read + rest.read,
    days,
  };
}

/** A bar of the chart: a day, such as `2026-11-21`, and how many codes were applied on it. */
export interface Bar {
  readonly day: string;
  readonly applied: number;
}

/** Returns the bars of the chart, the oldest first, and how many codes were applied before them. */
export function barsOf(days: Codes['days']): {
  readonly bars: readonly Bar[];
  readonly left: number;
} {
  const sorted = Object.keys(days).sort();
  const [first, last] = [sorted[0], sorted.at(-1)];
  const bars: Bar[] = [];
  for (
    let day = last;
    day !== undefined && first !== undefined && day >= first && bars.length < MAX_BARS;
    day = dayBefore(day)
  ) {
    bars.unshift({ day, applied: days[day] ?? 0 });
  }
  const drawn = bars[0]?.day ?? '';
  const left = sorted.filter((day) => day < drawn).reduce((sum, day) => sum + (days[day] ?? 0), 0);
  return { bars, left };
}

function dayBefore(day: string): string {
  return new Date(Date.parse(day) - DAY_MS).toISOString().slice(0, 10);
}
