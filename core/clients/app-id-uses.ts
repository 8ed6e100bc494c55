import { logger } from '../runtime/logger.ts';
import { TokenBucket } from '../runtime/token-bucket.ts';
import { fingerprintOf } from './app-id-fingerprint.ts';

const INTERVAL_MS = 60_000;
/** App-Ids named per log line. With the longest client ids they take 60 of a line's 256 KB. */
const MAX_APP_IDS = 100;

/**
 * Counts the uses of each App-Id in this execution environment, and logs the counts at most once a
 * minute. A use after a quiet minute is logged at once, so an environment that is rarely called
 * loses nothing. One that stops loses what it counted since its last line. Lines are written during
 * calls only, because Lambda freezes timers.
 */
export class AppIdUses {
  readonly #limit = new TokenBucket(1, INTERVAL_MS);
  /** Uses by client, then by fingerprint of the App-Id. */
  readonly #uses = new Map<string, Map<string, number>>();
  #named = 0;
  /** Uses of App-Ids that no longer fit into the line. */
  #unnamed = 0;

  /** Counts a use of a client's App-Id. */
  count(clientId: string, appId: string): void {
    this.#add(clientId, fingerprintOf(appId));
    if (!this.#limit.take()) return;
    const uses = [...this.#uses].map(([id, counts]) => [id, Object.fromEntries(counts)]);
    logger.info('App-Ids were used', { unnamed: this.#unnamed, uses: Object.fromEntries(uses) });
    this.#uses.clear();
    this.#named = 0;
    this.#unnamed = 0;
  }

  #add(clientId: string, fingerprint: string): void {
    const counts = this.#uses.get(clientId);
    const count = counts?.get(fingerprint) ?? 0;
    if (count === 0) {
      if (this.#named === MAX_APP_IDS) {
        this.#unnamed++;
        return;
      }
      this.#named++;
    }
    if (counts) counts.set(fingerprint, count + 1);
    else this.#uses.set(clientId, new Map([[fingerprint, 1]]));
  }
}
