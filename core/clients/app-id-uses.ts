import { APP_IDS_USED } from '../runtime/log-messages.ts';
import { logger } from '../runtime/logger.ts';
import { TokenBucket } from '../runtime/rate-limit.ts';
import { fingerprintOf } from './app-id-fingerprint.ts';

const INTERVAL_MS = 60_000;
/** The time after which a use of an App-Id counts as its first again. */
const HOUR_MS = 60 * INTERVAL_MS;
/** App-Ids named per log line. With the longest client ids they take 60 of a line's 256 KB. */
const MAX_APP_IDS = 100;

/**
 * Counts the uses of each App-Id in this execution environment. The first use of an App-Id in an
 * hour is logged at once, so every App-Id that is used appears in the log. Further counts are
 * logged at most once a minute, or when a line is full; an environment that stops loses those since
 * its last line. Lines are written during calls only, because Lambda freezes timers.
 */
export class AppIdUses {
  readonly #limit = new TokenBucket(1, INTERVAL_MS);
  readonly #hour = new TokenBucket(1, HOUR_MS);
  /** The App-Ids that had a use logged in this hour, with their clients. */
  readonly #logged = new Set<string>();
  /** Uses by client, then by fingerprint of the App-Id. */
  readonly #uses = new Map<string, Map<string, number>>();
  #named = 0;

  /** Counts a use of a client's App-Id. */
  count(clientId: string, appId: string): void {
    const fingerprint = fingerprintOf(appId);
    const counts = this.#uses.get(clientId) ?? new Map<string, number>();
    const count = counts.get(fingerprint) ?? 0;
    if (count === 0) this.#named++;
    this.#uses.set(clientId, counts.set(fingerprint, count + 1));

    const name = `${fingerprint} ${clientId}`;
    if (this.#hour.take()) this.#logged.clear();
    const isNew = !this.#logged.has(name);
    if (!this.#limit.take() && !isNew && this.#named < MAX_APP_IDS) return;
    this.#logged.add(name);
    const uses = [...this.#uses].map(([id, counts]) => [id, Object.fromEntries(counts)]);
    logger.info(APP_IDS_USED, { uses: Object.fromEntries(uses) });
    this.#uses.clear();
    this.#named = 0;
  }
}
