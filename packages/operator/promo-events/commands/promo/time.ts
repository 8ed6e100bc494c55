import { InvalidArgumentError } from 'commander';
import { expectPast, type ReadTime, readTime } from '../../read-time.ts';

/** Reads the beginning of a day, or a time, from an option. */
export function readStart(text: string): string {
  return timeIn(text).start;
}

/** Reads the end of a range from an option. A day is in the range. */
export function readEnd(text: string): string {
  return timeIn(text).end;
}

/** Reads a time that has come, from an option. Throws UsageError for another one. */
export function readPastTime(text: string): string {
  const { start } = timeIn(text);
  expectPast(start);
  return start;
}

function timeIn(text: string): ReadTime {
  const time = readTime(text, new Date());
  if (time) return time;
  throw new InvalidArgumentError(
    'It must be a day, a time, today, yesterday, or a duration such as 30m, 24h or 7d.',
  );
}
