import { logger } from '../runtime/logger.ts';
import { TokenBucket } from '../runtime/token-bucket.ts';
import { fingerprintOf } from './app-id-fingerprint.ts';

const INTERVAL_MS = 60_000;
/**
 * The number of keys that a line names. With the longest client ids it takes 60 KB of the 256 KB
 * that a line may have.
 */
const MAX_KEYS = 100;

/**
 * Counts the uses of each App-Id in this execution environment, and logs the counts at most once a
 * minute. The first use is logged at once, and so is one after a quiet minute: an environment that
 * is rarely called loses no count. What an environment has counted since its last line is lost when
 * it stops. A line is written during a call only, because Lambda freezes timers.
 */
export class AppIdUses {
  readonly #limit = new TokenBucket(1, INTERVAL_MS);
  /** By client, the uses of each key by its digest. */
  readonly #uses = new Map<string, Map<string, number>>();
  #keys = 0;
  /** The uses of keys that the line has no room for. */
  #unnamed = 0;

  /** Counts a use of a key of the client. */
  count(clientId: string, appId: string): void {
    this.#add(clientId, fingerprintOf(appId));
    if (!this.#limit.take()) return;
    const uses = [...this.#uses].map(([id, counts]) => [id, Object.fromEntries(counts)]);
    logger.info('App-Ids were used', { unnamed: this.#unnamed, uses: Object.fromEntries(uses) });
    this.#uses.clear();
    this.#keys = 0;
    this.#unnamed = 0;
  }

  #add(clientId: string, key: string): void {
    const counts = this.#uses.get(clientId);
    const count = counts?.get(key) ?? 0;
    if (count === 0) {
      if (this.#keys === MAX_KEYS) {
        this.#unnamed++;
        return;
      }
      this.#keys++;
    }
    if (counts) counts.set(key, count + 1);
    else this.#uses.set(clientId, new Map([[key, 1]]));
  }
}
