import { InvalidArgumentError } from 'commander';

const UNITS_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const DURATION = /^(\d{1,4})([mhd])$/;
/** A date, or a time in UTC. Without the Z, it would be read as the time of this machine. */
const TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?Z)?$/;

/**
 * Reads a point in time: a date, a time in UTC, or how long ago it was, such as `24h`.
 *
 * @returns ISO 8601 in UTC; undefined if it is none.
 */
export function readTime(text: string, now: Date): string | undefined {
  const [, count, unit] = DURATION.exec(text) ?? [];
  if (count !== undefined) {
    return new Date(now.getTime() - Number(count) * UNITS_MS[unit as 'm']).toISOString();
  }
  const time = TIME.test(text) ? new Date(text) : undefined;
  if (!time || Number.isNaN(time.getTime())) return undefined;
  // JavaScript takes February 30 for a day in March.
  const iso = time.toISOString();
  return iso.startsWith(text.slice(0, 10)) ? iso : undefined;
}

/** Reads a point in time from an option. */
export function readTimeOption(text: string): string {
  const time = readTime(text, new Date());
  if (time) return time;
  throw new InvalidArgumentError(
    'It must be a date, a time in UTC, or a duration such as 30m, 24h or 7d.',
  );
}
