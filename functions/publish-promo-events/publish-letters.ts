import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { Context, SQSRecord } from 'aws-lambda';
import { readDeadLetter } from '../../core/events/dead-letter.ts';
import { type BusEvent, type Put, putEvents } from '../../core/events/put-events.ts';
import { CONFIGURATIONS_SOURCE } from '../../core/history/configurations-source.ts';
import { asStored } from '../../core/promo-events/device-id.ts';
import { erasureLookup, type IsErased } from '../../core/promo-events/erasures.ts';
import {
  isImported,
  PROMO_EVENTS_SOURCE,
  publishedEvent,
} from '../../core/promo-events/published-event.ts';
import { logger } from '../../core/runtime/logger.ts';
import { count } from '../../core/runtime/metrics.ts';
import { Timeout } from '../../core/runtime/timeout.ts';
import { bus, documentClient, environment, erasures } from './resources.ts';

const RESERVED_MS = 1000;

/** The decision about a message: publish an event, drop it, or leave it. */
type LetterDecision =
  | { readonly kind: 'event'; readonly event: BusEvent }
  | { readonly kind: 'dropped' }
  | Exclude<Put, { readonly kind: 'published' }>;

/**
 * Publishes the events of dead letters: a promo event as its item is now, and news of a
 * configuration as it is. Drops the promo events whose items are gone or imported, or whose users
 * are erased. Their number is no sign that the stream is read, so `PromoEventPublished` does not
 * count them.
 *
 * @returns the ids of the messages that SQS delivers again, or makes dead letters again.
 */
export async function publishLetters(
  messages: readonly SQSRecord[],
  context: Context,
): Promise<string[]> {
  using timeout = new Timeout(Math.max(0, context.getRemainingTimeInMillis() - RESERVED_MS));
  const { signal } = timeout;
  // A new one for each batch: a user who is erased now is known to the next batch.
  const isErased = erasureLookup(erasures, new Date(), signal);
  const contents = await Promise.all(
    messages.map(({ body }) =>
      decideLetter(body, isErased, signal).catch(
        (error): LetterDecision => ({ kind: 'notTaken', error }),
      ),
    ),
  );
  const found = contents.filter((content) => content.kind === 'event');
  const puts = await putEvents(
    bus,
    found.map(({ event }) => event),
    signal,
  );
  const results = new Map(found.map((content, index) => [content as LetterDecision, puts[index]]));
  return messages.flatMap(({ messageId }, index) => {
    const content = contents[index];
    const result = (content && results.get(content)) ?? content;
    return isFailed(messageId, result) ? messageId : [];
  });
}

function isFailed(messageId: string, result: LetterDecision | Put | undefined): boolean {
  switch (result?.kind) {
    case 'refused':
      logger.error('A dead letter cannot be published', { messageId, problem: result.reason });
      return true;
    case 'notTaken':
      count('ServerErrors');
      logger.error('A dead letter is not published yet', { messageId, error: result.error });
      return true;
    default:
      return false;
  }
}

const FOREIGN = { kind: 'refused', reason: 'It is not a dead letter of the event bus.' } as const;

/** Reads a dead letter. Throws the errors of DynamoDB, and `UnreadableMarker`. */
async function decideLetter(
  body: string,
  isErased: IsErased,
  abortSignal: AbortSignal,
): Promise<LetterDecision> {
  const letter = readDeadLetter(body);
  if (!letter) return FOREIGN;
  const { reason: _, ...event } = letter;
  if (event.source === CONFIGURATIONS_SOURCE) return { kind: 'event', event };
  if (event.source !== PROMO_EVENTS_SOURCE) return FOREIGN;
  const { clientId, eventId, receivedAt } = Object(event.detail);
  // DynamoDB refuses to look up an empty key.
  if (!(typeof clientId === 'string' && clientId)) return FOREIGN;
  if (!(typeof eventId === 'string' && eventId)) return FOREIGN;
  const read = new GetCommand({
    TableName: environment.PROMO_EVENTS_TABLE_NAME,
    Key: { clientId, eventId },
    ConsistentRead: true,
  });
  const { Item } = await documentClient.send(read, { abortSignal });
  if (!Item || isImported(Item)) return { kind: 'dropped' };
  // After an erasure, the item can be that of a later application.
  const received = { ...Item, clientId, eventId, receivedAt: receivedAt ?? Item.receivedAt };
  if (await isErased(received)) return { kind: 'dropped' };
  const published = publishedEvent(asStored(Item, environment.STORE_DEVICE_IDS));
  return { kind: 'event', event: { ...event, ...published } };
}
