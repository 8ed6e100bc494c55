/** A cached value. */
export interface Cached<TValue> {
  readonly value: TValue;
  /** True if the value could not be read again and this is the last good copy. */
  readonly stale: boolean;
}

/** A value from the store. */
interface Read<TValue> {
  readonly value: TValue;
  /** The memory that the value counts for, in bytes. */
  readonly bytes: number;
}

interface Entry<TValue> extends Cached<TValue> {
  /** The bytes that were read, and those that the value has grown by. */
  bytes: number;
  /** Start of the read, in milliseconds since the epoch. */
  readonly readAt: number;
  readonly readAgainAt: number;
}

interface StaleIfErrorCacheOptions<TValue> {
  /** Reads the value of a key; undefined if there is none. `last` is the cached value, if any. */
  readonly read: (key: string, last: TValue | undefined) => Promise<Read<TValue> | undefined>;
  /** Time for which a value is served without another read, in milliseconds. */
  readonly freshMs: number;
  /** Age up to which a value is served while the store fails, in milliseconds. */
  readonly staleIfErrorMs: number;
  /** Limit of cached values in bytes. Evicts those read longest ago. */
  readonly maxBytes: number;
  /** Limit of cached absences. Evicts those read longest ago. */
  readonly maxAbsences: number;
  /** Called with the error of a read when the last value is served instead. */
  readonly onStale: (key: string, error: unknown) => void;
}

/**
 * A cache in front of a store. It has at most one read per key in flight, and serves the last value
 * while the store fails (`stale-if-error`, RFC 5861). Absences are cached too, but never stale. It
 * is our own: docs/decisions/starts.md#the-cache-of-clients-is-our-own.
 */
export class StaleIfErrorCache<TValue> {
  readonly #options: StaleIfErrorCacheOptions<TValue>;
  /** Sorted by read time, as are the absences. */
  readonly #values = new Map<string, Entry<TValue>>();
  // Separate, because anyone can ask for unknown keys, which must not evict known ones.
  readonly #absences = new Map<string, Entry<undefined>>();
  readonly #reads = new Map<string, Promise<Entry<TValue | undefined>>>();
  #bytes = 0;

  constructor(options: StaleIfErrorCacheOptions<TValue>) {
    this.#options = options;
  }

  /**
   * Returns the value of a key; undefined if there is none.
   *
   * @throws the error of the read, if no last value can be served instead.
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
    // Time before the read: an edit during the read must not wait for longer than `freshMs`.
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
      // Waits for `freshMs`: during an outage, one request per period waits for a read, not each.
      const readAgainAt = Math.min(failedAt + freshMs, last.readAt + staleIfErrorMs);
      return this.#storeValue(key, { ...last, stale: true, readAgainAt });
    }
  }

  /** Adds the bytes that a cached value has grown by, and evicts for them. */
  grow(key: string, value: TValue, bytes: number): void {
    const entry = this.#values.get(key);
    if (entry?.value !== value) return;
    entry.bytes += bytes;
    this.#bytes += bytes;
    this.#evict();
  }

  #storeValue(key: string, entry: Entry<TValue>): Entry<TValue> {
    this.#delete(key);
    this.#values.set(key, entry);
    this.#bytes += entry.bytes;
    this.#evict();
    return entry;
  }

  #evict(): void {
    for (const oldest of this.#values.keys()) {
      if (this.#bytes <= this.#options.maxBytes) break;
      this.#delete(oldest);
    }
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
