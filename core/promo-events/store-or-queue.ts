import type { messageSender } from '../aws/message-sender.ts';
import { UnavailableError } from '../aws/unavailable-error.ts';
import { logger } from '../runtime/logger.ts';
import { count } from '../runtime/metrics.ts';
import { Timeout } from '../runtime/timeout.ts';
import { messageGroupOf, type PromoEvent } from './promo-event.ts';
import {
  type Kind,
  type PromoEventsTable,
  type Stored,
  storePromoEvent,
} from './promo-events-table.ts';

/** Timeout of storing an event in the table, in milliseconds: two attempts. */
const TABLE_MS = 3000;
/** The same after a failure, until the table works: waiting requests use up the concurrency. */
const FAILING_TABLE_MS = 500;
/**
 * The shortest time until an event has all of `TABLE_MS` again, in milliseconds: a table that is
 * only slow would never store one in less. It is up to twice as long, by chance, so that
 * environments that failed together do not wait together.
 */
const PATIENCE_MS = 30_000;
/** Timeout of queueing an event, in milliseconds: three attempts with backoff. */
const QUEUE_MS = 6000;
/** Time reserved for the response, in milliseconds. */
const RESPONSE_MS = 500;

/** The outcome for an accepted promo event. */
export type Accepted = Omit<Stored, 'kind'> & { readonly kind: Kind | 'queued' };

/** The destination of accepted promo events. */
interface PromoEventsDestination {
  readonly table: PromoEventsTable;
  /** The queue for events that the table does not store in time. */
  readonly queueUrl: string;
}

/**
 * Creates the function that accepts promo events, so that none is lost: it stores an event in the
 * table, or queues it if that does not succeed in time. Whatever the cause, including a missing
 * permission, the event waits in the queue until the cause is fixed.
 *
 * It takes the event and the remaining milliseconds of the Lambda function. It returns what became
 * of the event, of kind `queued` if it waits. It throws an `UnavailableError` if both failed; the
 * same request can succeed later.
 */
export function storeOrQueue({ table, queueUrl }: PromoEventsDestination) {
  /** The end of the time in which the table has failed, as far as it is known. */
  let failingUntil = 0;
  let sendToQueue: ReturnType<typeof messageSender> | undefined;

  async function queue(event: PromoEvent): Promise<void> {
    try {
      // Loaded on demand: the SQS client would slow down every cold start.
      sendToQueue ??= (await import('../aws/message-sender.ts')).messageSender(queueUrl);
      using timeout = new Timeout(QUEUE_MS);
      await sendToQueue(event, timeout.signal, messageGroupOf(event));
    } catch (cause) {
      throw new UnavailableError({ cause });
    }
  }

  return async (event: PromoEvent, remainingMs: number): Promise<Accepted> => {
    const isFailing = Date.now() < failingUntil;
    const tableMs = isFailing ? FAILING_TABLE_MS : TABLE_MS;
    const timeoutMs = Math.max(0, Math.min(tableMs, remainingMs - QUEUE_MS - RESPONSE_MS));
    try {
      using timeout = new Timeout(timeoutMs);
      const stored = await storePromoEvent(table, event, timeout.signal);
      failingUntil = 0;
      return stored;
    } catch (error) {
      // A call without time left proves nothing about the table.
      if (timeoutMs > 0 && !isFailing) {
        failingUntil = Date.now() + PATIENCE_MS * (1 + Math.random());
      }
      logger.error('The table did not store a promo event', { clientId: event.clientId, error });
      await queue(event);
      count('PromoEventQueued');
      return { kind: 'queued', notStored: [] };
    }
  };
}
