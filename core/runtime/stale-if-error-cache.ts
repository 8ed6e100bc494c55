/** A value as the cache gives it. */
export interface Cached<TValue> {
  readonly value: TValue;
  /** True if the value could not be read again, and this is the last good copy. */
  readonly stale: boolean;
}

/** A value that was read from the store. */
export interface Read<TValue> {
  readonly value: TValue;
  /** How much memory the value counts for, in bytes. */
  readonly bytes: number;
}

interface Entry<TValue> extends Cached<TValue>, Read<TValue> {
  /** When the read began, in milliseconds since the epoch. */
  readonly readAt: number;
  readonly readAgainAt: number;
}

interface StaleIfErrorCacheOptions<TValue> {
  /**
   * Reads the value of a key; undefined if there is none. It is given the last value that was read,
   * if it is cached.
   */
  readonly read: (key: string, last: TValue | undefined) => Promise<Read<TValue> | undefined>;
  /** How long a value is served without reading it again, in milliseconds. */
  readonly freshMs: number;
  /** How long after its read a value may be served while the store fails, in milliseconds. */
  readonly staleIfErrorMs: number;
  /**
   * Limit for the values in the cache, in bytes. Beyond it, those that were read longest ago are
   * evicted.
   */
  readonly maxBytes: number;
  /**
   * Limit for the absences in the cache. Beyond it, those that were read longest ago are evicted.
   */
  readonly maxAbsences: number;
  /** Called with the error of a read whenever the last value is served in its place. */
  readonly onStale: (key: string, error: unknown) => void;
}

/**
 * A cache in front of a store. It serves a value for a while, has at most one read per key in
 * flight, and serves the last value while the store fails (`stale-if-error`, RFC 5861). The absence
 * of a value is cached as well, but is never stale. Why it is not one of the common packages:
 * docs/decisions/0013.
 */
export class StaleIfErrorCache<TValue> {
  readonly #options: StaleIfErrorCacheOptions<TValue>;
  /** In the order of their reads, as are the absences. */
  readonly #values = new Map<string, Entry<TValue>>();
  // Separate from the values: anybody can ask for keys that do not exist, and must not evict those
  // that do.
  readonly #absences = new Map<string, Entry<undefined>>();
  readonly #reads = new Map<string, Promise<Entry<TValue | undefined>>>();
  #bytes = 0;

  constructor(options: StaleIfErrorCacheOptions<TValue>) {
    this.#options = options;
  }

  /**
   * Gives the value of a key, or undefined if it has none.
   *
   * @throws the error of the read, if no value is there to be served in its place.
   */
  async get(key: string): Promise<Cached<TValue | undefined>> {
    const entry = this.#values.get(key) ?? this.#absences.get(key);
    if (entry && Date.now() < entry.readAgainAt) return entry;
    let read = this.#reads.get(key);
    if (!read) {
      read = this.#read(key).finally(() => this.#reads.delete(key));
      this.#reads.set(key, read);
    }
    return read;
  }

  async #read(key: string): Promise<Entry<TValue | undefined>> {
    const { read, freshMs, staleIfErrorMs, onStale } = this.#options;
    const last = this.#values.get(key);
    // From before the read: an edit during the read must not wait for longer than `freshMs`.
    const readAt = Date.now();
    const fresh = { stale: false, readAt, readAgainAt: readAt + freshMs };
    try {
      const found = await read(key, last?.value);
      return found
        ? this.#storeValue(key, { ...fresh, ...found })
        : this.#storeAbsence(key, { ...fresh, value: undefined, bytes: 0 });
    } catch (error) {
      const failedAt = Date.now();
      if (!last || failedAt - last.readAt > staleIfErrorMs) throw error;
      onStale(key, error);
      // Not before `freshMs`: during an outage one request in that time waits for a read, not each.
      const readAgainAt = Math.min(failedAt + freshMs, last.readAt + staleIfErrorMs);
      return this.#storeValue(key, { ...last, stale: true, readAgainAt });
    }
  }

  #storeValue(key: string, entry: Entry<TValue>): Entry<TValue> {
    this.#delete(key);
    this.#values.set(key, entry);
    this.#bytes += entry.bytes;
    for (const oldest of this.#values.keys()) {
      if (this.#bytes <= this.#options.maxBytes) break;
      this.#delete(oldest);
    }
    return entry;
  }

  #storeAbsence(key: string, entry: Entry<undefined>): Entry<undefined> {
    this.#delete(key);
    this.#absences.set(key, entry);
    for (const oldest of this.#absences.keys()) {
      if (this.#absences.size <= this.#options.maxAbsences) break;
      this.#absences.delete(oldest);
    }
    return entry;
  }

  #delete(key: string): void {
    this.#bytes -= this.#values.get(key)?.bytes ?? 0;
    this.#values.delete(key);
    this.#absences.delete(key);
  }
}
