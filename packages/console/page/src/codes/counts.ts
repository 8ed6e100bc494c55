import type { Codes } from '../answers.ts';

/* What a search of promo codes found, joined and counted. Pure functions. */

const MAX_EVENTS = 1000;
/** The most bars of a chart: three days, a quarter of a year, and what one compares. */
const MAX_BARS = { hour: 72, day: 92, code: 12 } as const;

export type Unit = keyof typeof MAX_BARS;
/** How many codes were applied, and how many requests only repeated one. */
export type Counts = Codes['codes'][string];

const NONE: Counts = { applied: 0, repeated: 0 };

export function sumOf({ applied, repeated }: Counts): number {
  return applied + repeated;
}

/** Adds up counts. */
export function totalOf(all: readonly Counts[]): Counts {
  return all.reduce(added, NONE);
}

function added(one: Counts, other: Counts): Counts {
  return { applied: one.applied + other.applied, repeated: one.repeated + other.repeated };
}

/** A code can be the name of what every object has. */
function addedByKey(one: Codes['codes'] = {}, other: Codes['codes']): Codes['codes'] {
  const sums = new Map(Object.entries(one));
  for (const [key, counts] of Object.entries(other)) {
    sums.set(key, added(sums.get(key) ?? NONE, counts));
  }
  return Object.fromEntries(sums);
}

/** Joins what was found earlier with the rest. */
export function joined(earlier: Codes | undefined, { refusals, ...rest }: Codes): Codes {
  const timeOf = ({ receivedAt = '' }: Codes['events'][number]) => receivedAt;
  const events = [...(earlier?.events ?? []), ...rest.events]
    .sort((one, other) => (timeOf(one) < timeOf(other) ? 1 : -1))
    .slice(0, MAX_EVENTS);
  const found = (earlier?.found ?? 0) + rest.found;
  const similar = found > 0 ? [] : [...(earlier?.similar ?? []), ...rest.similar];
  const read = (earlier?.read ?? 0) + rest.read;
  return {
    ...rest,
    hours: addedByKey(earlier?.hours, rest.hours),
    codes: addedByKey(earlier?.codes, rest.codes),
    events,
    found,
    similar,
    read,
    ...(found === 0 && { refusals }),
  };
}

/** A bar of a chart: when its hour or day starts, and what was counted in it. */
export interface Bar {
  readonly at: Date;
  readonly counts: Counts;
}

/** Returns the bars of a chart, the oldest first, and what is older than they are. */
export function barsOf(
  hours: Codes['hours'],
  unit: Exclude<Unit, 'code'>,
): { readonly bars: readonly Bar[]; readonly left: Counts } {
  const counts = new Map<number, Counts>();
  for (const [hour, count] of Object.entries(hours)) {
    const start = startOf(new Date(hour), unit).getTime();
    counts.set(start, added(counts.get(start) ?? NONE, count));
  }
  const first = Math.min(...counts.keys());
  const bars: Bar[] = [];
  for (
    let at = new Date(Math.max(...counts.keys()));
    at.getTime() >= first && bars.length < MAX_BARS[unit];
    at = before(at, unit)
  ) {
    bars.unshift({ at, counts: counts.get(at.getTime()) ?? NONE });
    counts.delete(at.getTime());
  }
  return { bars, left: totalOf([...counts.values()]) };
}

/** Returns the codes that were sent most often, and how many others there are. */
export function mostSent(codes: Codes['codes']) {
  const sorted = Object.entries(codes)
    .map(([code, counts]) => ({ code, counts }))
    .sort((one, other) => sumOf(other.counts) - sumOf(one.counts));
  const rows = sorted.slice(0, MAX_BARS.code);
  return { rows, others: sorted.length - rows.length };
}

/** Returns the unit in which a chart shows everything, if one does. */
export function usualUnit(hours: Codes['hours']): Unit {
  return sumOf(barsOf(hours, 'hour').left) === 0 ? 'hour' : 'day';
}

/** By the clock of the operator, whose days may have 23 hours. */
function startOf(time: Date, unit: Unit): Date {
  const start = new Date(time);
  if (unit === 'day') start.setHours(0, 0, 0, 0);
  return start;
}

function before(at: Date, unit: Unit): Date {
  return startOf(new Date(at.getTime() - (unit === 'day' ? 12 : 1) * 3_600_000), unit);
}
