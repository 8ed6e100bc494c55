import { readEnvironment } from './environment.ts';

/** A rate limit: a burst at once, then once per interval. */
export class TokenBucket {
  readonly #burst: number;
  readonly #intervalMs: number;
  /** The credit, in milliseconds. Each token costs `intervalMs`. */
  #credit: number;
  #filledAt = Date.now();

  /**
   * @param burst tokens available at once, after a pause.
   * @param intervalMs time to gain a token, in milliseconds; 0 for no limit.
   */
  constructor(burst: number, intervalMs: number) {
    this.#burst = burst;
    this.#intervalMs = intervalMs;
    this.#credit = burst * intervalMs;
  }

  /** Takes a token. Returns false if there is none. */
  take(): boolean {
    const now = Date.now();
    // The clock may have been set back.
    const filled = this.#credit + Math.max(0, now - this.#filledAt);
    this.#credit = Math.min(this.#burst * this.#intervalMs, filled);
    this.#filledAt = now;
    if (this.#credit < this.#intervalMs) return false;
    this.#credit -= this.#intervalMs;
    return true;
  }
}

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
