/** The longest run of a function: Lambda ends it then. */
export const FUNCTION_TIMEOUT_SECONDS = 20;

/**
 * A timeout that can be cleared, by disposing of it. Its signal aborts with a `TimeoutError`.
 * `AbortSignal.timeout` cannot be cleared: each call would leave a timer that fires during a later
 * one. `AbortSignal.any` alone takes a tenth of the CPU time of a DynamoDB call.
 */
export class Timeout implements Disposable {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #outer: AbortSignal | undefined;
  readonly #abort = () => this.#controller.abort(this.#outer?.reason);
  #isOver = false;

  /**
   * @param ms the time in milliseconds. With 0, the signal aborts at once.
   * @param outer a signal that also aborts this one, with its own reason.
   */
  constructor(ms: number, outer?: AbortSignal) {
    this.#timer = setTimeout(() => this.#end(), ms);
    this.#outer = outer;
    if (outer?.aborted) this.#abort();
    else outer?.addEventListener('abort', this.#abort);
    if (ms <= 0) this.#end();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** True if the time was over before the outer signal aborted or the timeout was cleared. */
  get isOver(): boolean {
    return this.#isOver;
  }

  #end(): void {
    if (this.signal.aborted) return;
    this.#isOver = true;
    this.#controller.abort(new DOMException('The time limit is over.', 'TimeoutError'));
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#outer?.removeEventListener('abort', this.#abort);
  }
}
