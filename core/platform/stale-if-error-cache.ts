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
  /** How many values are kept, and how many absences; beyond it the one read longest ago goes. */
  readonly maxKeys: number;
  /** Is told why a read failed whenever the last good value stands in for it. */
  readonly onLastGood: (key: string, error: unknown) => void;
}

/**
 * A cache in front of a store: serves a value for a while, has one read of a key in flight at a time, and falls back on
 * the last good value while the store fails. The absence of a value is cached like a value, but is never a
 * last good one.
 */
export class LastGoodCache<TValue> {
  readonly #options: LastGoodCacheOptions<TValue>;
  readonly #values = new Map<string, Entry<TValue>>();
  // Apart from the values: anybody can ask for keys that do not exist, and must not push out those that do.
  readonly #absences = new Map<string, Entry<undefined>>();
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
    const entry = this.#values.get(key) ?? this.#absences.get(key);
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
    const { read, freshMs, lastGoodMs, onLastGood } = this.#options;
    // From before the read: what is stored while it is under way must not wait for more than `freshMs`.
    const readAt = Date.now();
    try {
      const value = await read(key);
      return this.#keep(key, { value, stale: false, readAt, readAgainAt: readAt + freshMs });
    } catch (error) {
      const failedAt = Date.now();
      if (lastGood?.value === undefined || failedAt - lastGood.readAt > lastGoodMs) throw error;
      onLastGood(key, error);
      // Not before `freshMs` again: while the store is down, one request in that time waits for it, and not each.
      const readAgainAt = Math.min(failedAt + freshMs, lastGood.readAt + lastGoodMs + 1);
      return this.#keep(key, { ...lastGood, stale: true, readAgainAt });
    }
  }

  #keep(key: string, entry: Entry<TValue | undefined>): Entry<TValue | undefined> {
    // Deleted first, so that the order of the keys is the order of the reads.
    this.#values.delete(key);
    this.#absences.delete(key);
    const kept: Map<string, Entry<TValue | undefined>> = entry.value === undefined
      ? this.#absences
      : this.#values;
    kept.set(key, entry);
    for (const oldest of kept.keys()) {
      if (kept.size <= this.#options.maxKeys) break;
      kept.delete(oldest);
    }
    return entry;
  }
}
