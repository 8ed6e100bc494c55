import { readEnvironment } from './environment.ts';
import { TokenBucket } from './token-bucket.ts';

/** How many lines of one kind an execution environment may write in a burst, after a pause. */
export const LINES_AT_ONCE = 50;

/**
 * Makes the limit for one kind of log line. A flood of requests would otherwise write gigabytes:
 * with 0.6 KB a line and one line in five seconds, a hundred execution environments write 43 MB an
 * hour.
 */
export function lineLimit(): TokenBucket {
  const { LOG_INTERVAL_SECONDS } = readEnvironment(['LOG_INTERVAL_SECONDS']);
  return new TokenBucket(LINES_AT_ONCE, LOG_INTERVAL_SECONDS * 1000);
}
