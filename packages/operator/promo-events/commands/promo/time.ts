import { InvalidArgumentError } from 'commander';
import { type ReadTime, readTime } from '../../read-time.ts';

/** Reads a point in the past from an option: of a day, its beginning. */
export function readPastTime(text: string): string {
  const { start } = timeIn(text);
  const now = new Date().toISOString();
  if (start <= now) return start;
  throw new InvalidArgumentError(`It is in the future: now it is ${now}.`);
}

/** Reads the end of a range from an option. A day is in the range. */
export function readEnd(text: string): string {
  return timeIn(text).end;
}

function timeIn(text: string): ReadTime {
  const time = readTime(text, new Date());
  if (time) return time;
  throw new InvalidArgumentError(
    'It must be a day, a time, today, yesterday, or a duration such as 30m, 24h or 7d.',
  );
}
