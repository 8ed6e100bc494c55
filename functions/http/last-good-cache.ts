/** A value as the cache gives it. */
export interface Cached<TValue> {
  readonly value: TValue;
  /** True when the value could not be read again in time, and this is the last one that could. */
  readonly stale: boolean;
}

interface Entry<TValue> {
  readonly value: TValue;
  readonly stale: boolean;
  readonly readAt: number;
  readonly readAgainAt: number;
}

interface LastGoodCacheOptions<TValue> {
  /** Reads the value of a key; undefined when there is none. */
  readonly read: (key: string) => Promise<TValue | undefined>;
  /** How long a value is served without reading it again. */
  readonly freshMs: number;
  /** How long after it was read a value may stand in for one that cannot be read. */
  readonly lastGoodMs: number;
  /** How many keys are kept; beyond it the one read longest ago goes. */
  readonly maxKeys: number;
}

/**
 * A cache in front of a store: serves a value for a while, has one read of a key in flight at a time, and falls back on
 * the last good value while the store fails. The absence of a value is cached like a value, but is never a
 * last good one.
 */
export class LastGoodCache<TValue> {
  readonly #options: LastGoodCacheOptions<TValue>;
  readonly #entries = new Map<string, Entry<TValue | undefined>>();
  readonly #reads = new Map<string, Promise<Entry<TValue | undefined>>>();

  constructor(options: LastGoodCacheOptions<TValue>) {
    this.#options = options;
  }

  /**
   * The value of a key.
   *
   * @throws what `read` throws, when there is no last good value.
   */
  async get(key: string): Promise<Cached<TValue | undefined>> {
    const entry = this.#entries.get(key);
    if (entry && Date.now() < entry.readAgainAt) return entry;
    let read = this.#reads.get(key);
    if (!read) {
      read = this.#read(key, entry).finally(() => this.#reads.delete(key));
      this.#reads.set(key, read);
    }
    return read;
  }

  async #read(
    key: string,
    lastGood: Entry<TValue | undefined> | undefined,
  ): Promise<Entry<TValue | undefined>> {
    const { read, freshMs, lastGoodMs } = this.#options;
    // From before the read: what is stored while it is under way must not wait for more than `freshMs`.
    const readAt = Date.now();
    try {
      const value = await read(key);
      return this.#keep(key, { value, stale: false, readAt, readAgainAt: readAt + freshMs });
    } catch (error) {
      const failedAt = Date.now();
      if (lastGood?.value === undefined || failedAt - lastGood.readAt > lastGoodMs) throw error;
      // Not before `freshMs` again: while the store is down, one request in that time waits for it, and not each.
      return this.#keep(key, { ...lastGood, stale: true, readAgainAt: failedAt + freshMs });
    }
  }

  #keep(key: string, entry: Entry<TValue | undefined>): Entry<TValue | undefined> {
    // Deleted first, so that the order of the keys is the order of the reads.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#options.maxKeys) break;
      this.#entries.delete(oldest);
    }
    return entry;
  }
}
