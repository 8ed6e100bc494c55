import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Context, DynamoDBRecord } from 'aws-lambda';
import { readItem } from '../../core/aws/attribute-values.ts';
import type { DeadLetter } from '../../core/events/dead-letter.ts';
import { type BusEvent, type Put, putEvents } from '../../core/events/put-events.ts';
import { deadLetterOf, deadLetterSender } from '../../core/events/send-dead-letter.ts';
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
import { bus, environment, erasures } from './resources.ts';

/** The time to send the events of a batch to the dead-letter queue, and to answer. */
const RESERVED_MS = 4000;
/** A younger record is published without a look at the markers of erasures. */
const LATE_MS = 60_000;
/**
 * An older record is not tried again: an hour later, the stream forgets it. Its age does not tell
 * how often it was tried. So the limit is late, for a function that catches up after hours.
 */
const GIVEN_UP_MS = 23 * 60 * 60 * 1000;
/** The longest message that SQS takes everywhere. The bus takes no longer event, either. */
const LETTER_MAX_BYTES = 256 * 1024;
/** Remembered records. One that is forgotten is published twice. */
const MAX_SETTLED = 1000;

const sendLetter = deadLetterSender(environment.PROMO_EVENTS_BUS_DEAD_LETTER_QUEUE_URL);

/** The records that are done, of batches that Lambda delivers again because of others. */
const settled = new Set<string | undefined>();

/** A record, and what became of its event. */
interface Handled {
  readonly record: DynamoDBRecord;
  /** Undefined while it is to be put on the bus. */
  readonly put?: Put | { readonly kind: 'dropped' };
  readonly event: BusEvent;
}

/** A record after an attempt. If it is not done, Lambda delivers it again. */
interface Settled {
  readonly record: DynamoDBRecord;
  readonly isDone: boolean;
  readonly error?: unknown;
}

/**
 * Puts each new promo event on the event bus. One that the bus refuses for good goes to the
 * dead-letter queue, and the others go on. One that the bus cannot take stays in the stream, and
 * Lambda delivers it again with those after it. At 23 hours, it goes to the queue, too.
 *
 * @returns the records that stay in the stream, by their sequence numbers.
 */
export async function publishRecords(
  all: readonly DynamoDBRecord[],
  context: Context,
): Promise<string[]> {
  const remainingMs = context.getRemainingTimeInMillis();
  using toPublish = new Timeout(Math.max(0, remainingMs - RESERVED_MS));
  using toSend = new Timeout(Math.max(0, remainingMs - RESERVED_MS / 2));
  const records = all.filter(({ eventID }) => !settled.has(eventID));
  const handled = await publish(records, toPublish.signal);
  const outcomes = await Promise.all(handled.map((one) => settle(one, toSend.signal)));
  const waiting = outcomes.filter(({ isDone }) => !isDone);
  if (waiting.length === 0 || settled.size > MAX_SETTLED) settled.clear();
  if (waiting.length > 0) {
    for (const { record, isDone } of outcomes) if (isDone) settled.add(record.eventID);
  }
  logWaiting(waiting);
  return waiting.map(({ record }) => record.dynamodb?.SequenceNumber ?? '');
}

/** Writes one line for all: while the bus fails, the records of each attempt do. */
function logWaiting(waiting: readonly Settled[]): void {
  const [first] = waiting;
  if (!first) return;
  const { record, error } = first;
  count('ServerErrors', waiting.length);
  logger.error('Promo events are not published yet', {
    records: waiting.length,
    ...recordPlace(record),
    error,
  });
}

async function publish(
  records: readonly DynamoDBRecord[],
  abortSignal: AbortSignal,
): Promise<Handled[]> {
  // A new one for each batch: a user who is erased now is known to the next batch.
  const isErased = erasureLookup(erasures, new Date(), abortSignal);
  const prepared = await Promise.all(records.map((record) => prepare(record, isErased)));
  const waiting = prepared.filter(({ put }) => put === undefined);
  const events = waiting.map(({ event }) => event);
  const puts = await putEvents(bus, events, abortSignal);
  const results = new Map(waiting.map((one, index) => [one, puts[index]]));
  return prepared.map((one) => {
    const put = results.get(one);
    return put ? { ...one, put } : one;
  });
}

/** Reads a record by itself: whatever is wrong with it, the others are published. */
async function prepare(record: DynamoDBRecord, isErased: IsErased): Promise<Handled> {
  const image = record.dynamodb?.NewImage as Record<string, AttributeValue>;
  const common = {
    source: PROMO_EVENTS_SOURCE,
    time: new Date(writtenAt(record)).toISOString(),
  };
  let item: Record<string, unknown>;
  let event: BusEvent;
  try {
    item = readItem(image);
    event = { ...common, ...publishedEvent(asStored(item, environment.STORE_DEVICE_IDS)) };
  } catch (error) {
    const unreadable = { ...common, detailType: '', detail: recordKeys(record) };
    return { record, event: unreadable, put: { kind: 'refused', reason: String(error) } };
  }
  if (isImported(item)) return { record, event, put: { kind: 'dropped' } };
  if (Date.now() - writtenAt(record) <= LATE_MS) return { record, event };
  try {
    const isGone = await isErased({ ...item, ...recordKeys(record) });
    return { record, event, ...(isGone && { put: { kind: 'dropped' } }) };
  } catch (error) {
    return { record, event, put: { kind: 'notTaken', error } };
  }
}

/** Settles a record: its event is published, dropped or in the dead-letter queue, or it waits. */
async function settle({ record, event, put }: Handled, abortSignal: AbortSignal): Promise<Settled> {
  const done = { record, isDone: true };
  switch (put?.kind) {
    case 'published':
      count('PromoEventPublished');
      return done;
    case 'dropped':
      return done;
    case 'notTaken':
      if (Date.now() - writtenAt(record) < GIVEN_UP_MS) {
        return { record, isDone: false, error: put.error };
      }
  }
  const reason =
    put?.kind === 'refused' ? put.reason : `It could not be published: ${String(put?.error)}`;
  try {
    await sendLetter(letterOf(record, event, reason), abortSignal);
    logger.error('A promo event is a dead letter', { ...recordPlace(record), reason });
    return done;
  } catch (error) {
    return { record, isDone: false, error };
  }
}

/** The letter of a large event has the key of the item, which a redrive reads anyway. */
function letterOf(record: DynamoDBRecord, event: BusEvent, reason: string): DeadLetter {
  const letter = deadLetterOf(event, reason);
  if (Buffer.byteLength(JSON.stringify(letter)) <= LETTER_MAX_BYTES) return letter;
  return { ...letter, detailType: '', detail: recordKeys(record) };
}

/** Names a record in the log, which has no users or codes. */
function recordPlace(record: DynamoDBRecord) {
  return {
    clientId: recordKeys(record).clientId,
    sequenceNumber: record.dynamodb?.SequenceNumber,
  };
}

function recordKeys({ dynamodb: { Keys } = {} }: DynamoDBRecord) {
  return { clientId: Keys?.clientId?.S ?? '', eventId: Keys?.eventId?.S ?? '' };
}

function writtenAt({ dynamodb }: DynamoDBRecord): number {
  return (dynamodb?.ApproximateCreationDateTime ?? 0) * 1000;
}
