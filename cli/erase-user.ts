import { setTimeout } from 'node:timers/promises';
import type { BatchResultErrorEntry } from '@aws-sdk/client-sqs';
import { DeleteCommand, type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import { CommandError } from '../core/platform/command-error.ts';
import { userPrefix } from '../core/promo-events/promo-event.ts';
import { documentClient, sqsClient } from './aws-clients.ts';
import { describeRefused, Messages, type ReceivedMessage } from './messages.ts';
import type { Outputs } from './outputs.ts';

/** The maximum number of searches of the queues, which are repeated while messages are in flight elsewhere. */
const MAX_PASSES = 5;
const PAUSE_MS = 1000;
/** SQS allows 120,000 messages in flight per queue. Beyond that it returns none, as if the queue were empty. */
const MAX_IN_FLIGHT = 100_000;

/** A user of one client: the same `userId` of another client is another user. */
export interface User {
  readonly clientId: string;
  readonly userId: string;
}

export interface EraseOptions {
  readonly print: (line: string) => void;
  /** The number of messages of others that a search keeps in flight before it ends; 100,000 by default. */
  readonly maxInFlight?: number;
  /** The pause between two searches, in milliseconds; 1000 by default. */
  readonly pauseMs?: number;
}

/** The result of one search of a queue. */
interface Search {
  readonly removed: number;
  /** Messages that do not contain a promo event. */
  readonly unreadable: number;
  /** Messages of the user that SQS did not delete. */
  readonly refused: readonly BatchResultErrorEntry[];
  /** Whether the search reached the end of the queue. */
  readonly isComplete: boolean;
}

/**
 * Erases the promo events of one user. It starts with the messages in both queues, so that none of them is stored in
 * the table after the table was searched.
 *
 * @throws CommandError when a message may be left: another receiver had it in flight, SQS did not delete it, or there
 *   are too many to search. Everything that it printed as removed is removed.
 * @throws what the SQS and DynamoDB clients throw. A run that failed or was killed can be repeated.
 */
export async function eraseUser(
  outputs: Outputs,
  user: User,
  { print, maxInFlight = MAX_IN_FLIGHT, pauseMs = PAUSE_MS }: EraseOptions,
): Promise<void> {
  const sqs = sqsClient(outputs);
  const dynamodb = documentClient(outputs);
  const queue = new Messages(sqs, outputs.PromoEventsQueueUrl);
  const deadLetters = new Messages(sqs, outputs.PromoEventsDeadLetterQueueUrl);
  const removed = { queue: 0, deadLetterQueue: 0 };
  try {
    let problem: string | undefined;
    let unreadable = 0;
    for (let pass = 0; pass < MAX_PASSES && (pass === 0 || problem); pass++) {
      if (pass > 0) await setTimeout(pauseMs);
      // A message in flight elsewhere may return behind the search, so there must be none before and after it.
      const wasInFlight = await isAnyInFlight(queue, deadLetters);
      const inQueue = await removeMessages(queue, user, maxInFlight);
      const inDeadLetters = await removeMessages(deadLetters, user, maxInFlight);
      const isInFlight = await isAnyInFlight(queue, deadLetters);
      removed.queue += inQueue.removed;
      removed.deadLetterQueue += inDeadLetters.removed;
      unreadable = inQueue.unreadable + inDeadLetters.unreadable;
      problem = problemOf([inQueue, inDeadLetters], wasInFlight || isInFlight);
    }
    print(`Removed from the queue: ${removed.queue}`);
    print(`Removed from the dead-letter queue: ${removed.deadLetterQueue}`);
    if (unreadable > 0) print(`Messages without a promo event, left in the queues: ${unreadable}`);
    const items = await removeItems(dynamodb, outputs.PromoEventsTableName, user);
    print(`Removed from the table: ${items}`);
    if (problem) throw new CommandError(problem);
  } finally {
    sqs.destroy();
    dynamodb.destroy();
  }
}

/** The reason why messages of the user may be left, in one line; undefined if none can be. */
function problemOf(searches: readonly Search[], isAnyInFlight: boolean): string | undefined {
  const refused = searches.flatMap((search) => search.refused);
  if (refused.length > 0) return `${describeRefused(refused)} Run it again.`;
  if (!searches.every(({ isComplete }) => isComplete)) {
    return 'There are too many messages to search. Run it again when the queues have fewer.';
  }
  return isAnyInFlight
    ? 'Messages in flight elsewhere could not be searched. Run it again in ten minutes.'
    : undefined;
}

async function removeMessages(
  messages: Messages,
  { clientId, userId }: User,
  maxInFlight: number,
): Promise<Search> {
  const staying = new Set<ReceivedMessage>();
  const refused: BatchResultErrorEntry[] = [];
  let removed = 0;
  let isComplete = true;
  try {
    for await (const batch of messages.receive()) {
      for (const message of batch) staying.add(message);
      const result = await messages.delete(
        batch.filter(({ event }) => event?.clientId === clientId && event.userId === userId),
      );
      for (const message of result.accepted) staying.delete(message);
      removed += result.accepted.length;
      refused.push(...result.refused);
      isComplete = staying.size < maxInFlight;
      if (!isComplete) break;
    }
  } finally {
    // If this fails, the messages can be received again in ten minutes.
    await messages.release([...staying]).catch(() => {});
  }
  const unreadable = [...staying].filter(({ event }) => !event).length;
  return { removed, unreadable, refused, isComplete };
}

async function isAnyInFlight(...queues: readonly Messages[]): Promise<boolean> {
  const counts = await Promise.all(queues.map((messages) => messages.count()));
  return counts.some(({ inFlight }) => inFlight > 0);
}

async function removeItems(
  dynamodb: DynamoDBDocumentClient,
  TableName: string,
  { clientId, userId }: User,
): Promise<number> {
  let removed = 0;
  const pages = paginateQuery(
    { client: dynamodb },
    {
      TableName,
      KeyConditionExpression: 'clientId = :clientId AND begins_with(eventId, :prefix)',
      ExpressionAttributeValues: { ':clientId': clientId, ':prefix': userPrefix(userId) },
      ProjectionExpression: 'clientId, eventId',
      ConsistentRead: true,
    },
  );
  for await (const { Items = [] } of pages) {
    for (const Key of Items) {
      await dynamodb.send(new DeleteCommand({ TableName, Key }));
      removed++;
    }
  }
  return removed;
}
