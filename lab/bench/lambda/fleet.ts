import type { ExecutionEnvironment } from './execution-environment.ts';

/**
 * Calls that find so many environments busy are throttled, as by an account's quota: more of them
 * would only slow each other down.
 */
const MAX_ENVIRONMENTS = 50;

/**
 * The execution environments of one function. It scales as Lambda does: an environment has one call
 * at a time, and a call that finds all of them busy starts a new one.
 */
export class Fleet {
  readonly #start: () => Promise<ExecutionEnvironment>;
  readonly #all: Promise<ExecutionEnvironment>[] = [];
  /** The one that was used last comes first. */
  readonly #idle: ExecutionEnvironment[] = [];

  /** @param start starts another environment. */
  constructor(start: () => Promise<ExecutionEnvironment>) {
    this.#start = start;
  }

  /** The number of environments that were started. */
  get starts(): number {
    return this.#all.length;
  }

  /** Returns whether the call succeeded. */
  async call(event: object): Promise<boolean> {
    let free = this.#idle.shift();
    if (!free) {
      if (this.#all.length >= MAX_ENVIRONMENTS) return false;
      const started = this.#start();
      this.#all.push(started);
      free = await started;
    }
    const { statusCode } = await free.call(event);
    this.#idle.unshift(free);
    return statusCode === 200;
  }

  async stop(): Promise<void> {
    const started = await Promise.allSettled(this.#all);
    await Promise.all(
      started.map((one) => (one.status === 'fulfilled' ? one.value.stop() : undefined)),
    );
  }
}
