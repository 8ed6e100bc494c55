import { InvalidArgumentError } from 'commander';
import { readTime } from '../../read-time.ts';

/** Reads a point in time from an option. */
export function readTimeOption(text: string): string {
  const time = readTime(text, new Date());
  if (time) return time;
  throw new InvalidArgumentError(
    'It must be a date, a time, today, or a duration such as 30m, 24h or 7d.',
  );
}
