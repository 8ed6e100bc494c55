import type { Codes } from './answers.ts';

/* What a search of promo codes found, joined and counted. Pure functions. */

const MAX_EVENTS = 1000;
/** The most bars of a chart: three days, or a quarter of a year. */
const MAX_BARS = { hour: 72, day: 92 } as const;

export type Unit = keyof typeof MAX_BARS;

/** Joins what was found earlier with the rest. */
export function joined(earlier: Codes | undefined, { refusals, ...rest }: Codes): Codes {
  const hours: Record<string, number> = { ...earlier?.hours };
  for (const [hour, count] of Object.entries(rest.hours)) hours[hour] = (hours[hour] ?? 0) + count;
  const timeOf = ({ receivedAt = '' }: Codes['events'][number]) => receivedAt;
  const events = [...(earlier?.events ?? []), ...rest.events]
    .sort((one, other) => (timeOf(one) < timeOf(other) ? 1 : -1))
    .slice(0, MAX_EVENTS);
  const found = (earlier?.found ?? 0) + rest.found;
  const similar = found > 0 ? [] : [...(earlier?.similar ?? []), ...rest.similar];
  const read = (earlier?.read ?? 0) + rest.read;
  return { ...rest, hours, events, found, similar, read, ...(found === 0 && { refusals }) };
}

/** A bar of a chart: how much there is from a time on. */
export interface Bar {
  readonly at: Date;
  readonly count: number;
}

/** Returns the bars of a chart, the oldest first, and how many codes are older than they are. */
export function barsOf(
  hours: Codes['hours'],
  unit: Unit,
): { readonly bars: readonly Bar[]; readonly left: number } {
  const counts = new Map<number, number>();
  for (const [hour, count] of Object.entries(hours)) {
    const start = startOf(new Date(hour), unit).getTime();
    counts.set(start, (counts.get(start) ?? 0) + count);
  }
  const first = Math.min(...counts.keys());
  const bars: Bar[] = [];
  for (
    let at = new Date(Math.max(...counts.keys()));
    at.getTime() >= first && bars.length < MAX_BARS[unit];
    at = before(at, unit)
  ) {
    bars.unshift({ at, count: counts.get(at.getTime()) ?? 0 });
    counts.delete(at.getTime());
  }
  return { bars, left: [...counts.values()].reduce((sum, count) => sum + count, 0) };
}

/** Returns the unit in which a chart shows everything, if one does. */
export function usualUnit(hours: Codes['hours']): Unit {
  return barsOf(hours, 'hour').left === 0 ? 'hour' : 'day';
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
