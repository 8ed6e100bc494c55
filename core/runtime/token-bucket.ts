/** Limits how often something happens: a burst at once, and after that once per interval. */
export class TokenBucket {
  readonly #burst: number;
  readonly #intervalMs: number;
  /** In milliseconds. Each time costs `intervalMs`. */
  #credit: number;
  #filledAt = Date.now();

  /**
   * @param burst how often it may happen at once, after a pause.
   * @param intervalMs how long it takes until it may happen once more, in milliseconds; 0 for no
   *   limit.
   */
  constructor(burst: number, intervalMs: number) {
    this.#burst = burst;
    this.#intervalMs = intervalMs;
    this.#credit = burst * intervalMs;
  }

  /** Returns whether it may happen now, and counts it if so. */
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
