import { readEnvironment } from './environment.ts';
import { TokenBucket } from './token-bucket.ts';

/** The burst of lines of one kind that an execution environment may write after a pause. */
const LINES_AT_ONCE = 50;

/**
 * Limits one kind of log line. At 0.6 KB per line and one line in five seconds, a hundred execution
 * environments write 43 MB an hour; without a limit, a flood would write gigabytes.
 */
export function lineLimit(): TokenBucket {
  const { LOG_INTERVAL_SECONDS } = readEnvironment(['LOG_INTERVAL_SECONDS']);
  return new TokenBucket(LINES_AT_ONCE, LOG_INTERVAL_SECONDS * 1000);
}
