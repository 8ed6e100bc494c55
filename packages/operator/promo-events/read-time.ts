const UNITS_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const DURATION = /^(\d{1,4})([mhd])$/;
/** A date, or a time. Without Z or an offset, both are those of this machine. */
const TIME =
  /^(\d{4}-\d\d-\d\d)(T(?:[01]\d|2[0-3]):\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/;

/**
 * Reads a point in time: a date, a time, `today`, or how long ago it was, such as `24h`.
 *
 * @returns ISO 8601 in UTC; undefined if it is none.
 */
export function readTime(text: string, now: Date): string | undefined {
  const [, count, unit] = DURATION.exec(text) ?? [];
  if (count !== undefined) {
    return new Date(now.getTime() - Number(count) * UNITS_MS[unit as 'm']).toISOString();
  }
  if (text === 'today') return new Date(new Date(now).setHours(0, 0, 0, 0)).toISOString();
  const [, day, time = 'T00:00'] = TIME.exec(text) ?? [];
  const date = new Date(`${day}${time}`);
  // JavaScript takes February 30 for a day in March.
  const isDay = new Date(`${day}T00:00Z`).getUTCDate() === Number(day?.slice(8));
  return isDay && !Number.isNaN(date.getTime()) ? date.toISOString() : undefined;
}
