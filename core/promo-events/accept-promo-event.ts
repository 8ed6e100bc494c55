import { readEnvironment } from '../platform/environment.ts';
import { logger } from '../platform/logger.ts';
import { count } from '../platform/metrics.ts';
import { UnavailableError } from '../platform/unavailable-error.ts';
import type { PromoEvent } from './promo-event.ts';
import type { promoEventsQueue } from './promo-events-queue.ts';
import { type Kind, storePromoEvent } from './promo-events-table.ts';

const { PROMO_EVENTS_QUEUE_URL: QUEUE_URL } = readEnvironment(['PROMO_EVENTS_QUEUE_URL']);
/** How long the table gets: two attempts. */
const PATIENT_MS = 3000;
/** How long it gets after it has failed. While it is down, requests that wait for it would use up the concurrency of the account. */
const IMPATIENT_MS = 500;
/** How long the queue gets: three attempts and their pauses. */
const QUEUE_MS = 6000;
/** For our own answer after that. */
const ANSWER_MS = 500;

let tableMs = PATIENT_MS;
let queuePromoEvent: ReturnType<typeof promoEventsQueue> | undefined;

/**
 * Takes a promo event for good: into the table, or into the queue when the table cannot take it in time. Whatever the
 * table failed of, a lacking permission too, the event waits in the queue until that is mended.
 *
 * @param remainingMs how long the function may still run.
 * @returns what the event is in the table, or that it is queued.
 * @throws UnavailableError when neither accepted it; the same request can succeed later.
 */
export async function acceptPromoEvent(
  event: PromoEvent,
  remainingMs: number,
): Promise<Kind | 'queued'> {
  const inTime = Math.max(0, Math.min(tableMs, remainingMs - QUEUE_MS - ANSWER_MS));
  try {
    const kind = await storePromoEvent(event, AbortSignal.timeout(inTime));
    tableMs = PATIENT_MS;
    return kind;
  } catch (error) {
    // Without any time it was not the table that failed.
    if (inTime > 0) tableMs = IMPATIENT_MS;
    logger.error('The table did not take a promo event', { clientId: event.clientId, error });
    await queue(event);
    count('PromoEventQueued', 1, { clientId: event.clientId });
    return 'queued';
  }
}

async function queue(event: PromoEvent): Promise<void> {
  try {
    // Loaded when it is needed: it would make every start slower.
    queuePromoEvent ??= (await import('./promo-events-queue.ts')).promoEventsQueue(QUEUE_URL);
    await queuePromoEvent(event, AbortSignal.timeout(QUEUE_MS));
  } catch (cause) {
    throw new UnavailableError({ cause });
  }
}
