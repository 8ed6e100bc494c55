import { UnavailableError } from '../aws/unavailable-error.ts';
import { logger } from '../runtime/logger.ts';
import { count } from '../runtime/metrics.ts';
import { Timeout } from '../runtime/timeout.ts';
import type { PromoEvent } from './promo-event.ts';
import type { promoEventsQueue } from './promo-events-queue.ts';
import { type Kind, type PromoEventsTable, storePromoEvent } from './promo-events-table.ts';

/** Longest time for storing an event in the table, in milliseconds: two attempts. */
const TABLE_MS = 3000;
/**
 * The same after the table has failed, until it succeeds again. During an outage, requests that
 * wait for the table would use up the account's concurrency.
 */
const FAILING_TABLE_MS = 500;
/**
 * Longest time for sending an event to the queue, in milliseconds: three attempts and their
 * backoff.
 */
const QUEUE_MS = 6000;
/** Time reserved for our own response, in milliseconds. */
const RESPONSE_MS = 500;

/** The destination of accepted promo events. */
export interface PromoEventsDestination {
  readonly table: PromoEventsTable;
  /** The queue for events that the table does not store in time. */
  readonly queueUrl: string;
}

/**
 * Creates the function that accepts promo events, so that none is lost: it stores an event in the
 * table, or queues it if the table does not store it in time. Whatever the cause, including a
 * missing permission, the event waits in the queue until the cause is fixed.
 *
 * The function takes the event and the remaining time of the Lambda function in milliseconds. It
 * returns what the event is in the table, or that it is queued. It throws an `UnavailableError` if
 * neither accepted it; the same request can succeed later.
 */
export function storeOrQueue({ table, queueUrl }: PromoEventsDestination) {
  let tableMs = TABLE_MS;
  let sendToQueue: ReturnType<typeof promoEventsQueue> | undefined;

  async function queue(event: PromoEvent): Promise<void> {
    try {
      // Loaded on demand: the SQS client would make every cold start slower.
      sendToQueue ??= (await import('./promo-events-queue.ts')).promoEventsQueue(queueUrl);
      using timeout = new Timeout(QUEUE_MS);
      await sendToQueue(event, timeout.signal);
    } catch (cause) {
      throw new UnavailableError({ cause });
    }
  }

  return async (event: PromoEvent, remainingMs: number): Promise<Kind | 'queued'> => {
    const timeoutMs = Math.max(0, Math.min(tableMs, remainingMs - QUEUE_MS - RESPONSE_MS));
    try {
      using timeout = new Timeout(timeoutMs);
      const kind = await storePromoEvent(table, event, timeout.signal);
      tableMs = TABLE_MS;
      return kind;
    } catch (error) {
      // A call that had no time left says nothing about the table.
      if (timeoutMs > 0) tableMs = FAILING_TABLE_MS;
      logger.error('The table did not store a promo event', { clientId: event.clientId, error });
      await queue(event);
      count('PromoEventQueued');
      return 'queued';
    }
  };
}
