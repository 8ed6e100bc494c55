import { setTimeout } from 'node:timers/promises';
import { DeleteCommand, type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import { CommandError } from '../core/platform/command-error.ts';
import { userPrefix } from '../core/promo-events/promo-event.ts';
import { documentClient, sqsClient } from './aws-clients.ts';
import { Messages, type ReceivedMessage } from './messages.ts';
import type { Outputs } from './outputs.ts';

/** How often the queues are gone through, until nothing is hidden. */
const PASSES = 5;
const PAUSE_MS = 1000;

/** Whose promo events are removed. */
export interface Person {
  readonly clientId: string;
  readonly userId: string;
}

/**
 * Removes what is stored about one user: the messages in both queues first, so that none of them is written into the
 * table after that was cleaned.
 *
 * @throws CommandError when messages could not be looked at, because somebody has them in hand; what is said to be removed
 *   is removed.
 */
export async function eraseUser(
  outputs: Outputs,
  person: Person,
  print: (line: string) => void,
): Promise<void> {
  const sqs = sqsClient(outputs);
  const dynamodb = documentClient(outputs);
  const queue = new Messages(sqs, outputs.PromoEventsQueueUrl);
  const deadLetters = new Messages(sqs, outputs.PromoEventsDeadLetterQueueUrl);

  const removed = { queue: 0, deadLetterQueue: 0 };
  let unreadable = 0;
  let isAllSeen = false;
  for (let pass = 0; pass < PASSES && !isAllSeen; pass++) {
    if (pass > 0) await setTimeout(PAUSE_MS);
    // A message that somebody has in hand during a pass may be back by its end, and has not been looked at.
    const isNoneHidden = await areNoneInFlight(queue, deadLetters);
    const inQueue = await removeMessages(queue, person);
    const inDeadLetters = await removeMessages(deadLetters, person);
    isAllSeen = isNoneHidden && (await areNoneInFlight(queue, deadLetters));
    removed.queue += inQueue.removed;
    removed.deadLetterQueue += inDeadLetters.removed;
    unreadable = inQueue.unreadable + inDeadLetters.unreadable;
  }
  print(`Removed from the queue: ${removed.queue}`);
  print(`Removed from the dead-letter queue: ${removed.deadLetterQueue}`);
  if (unreadable > 0) print(`No promo events, and left in the queues: ${unreadable}`);
  const items = await removeItems(dynamodb, outputs.PromoEventsTableName, person);
  print(`Removed from the table: ${items}`);
  sqs.destroy();
  dynamodb.destroy();
  if (isAllSeen) return;
  throw new CommandError(
    'Messages that are just being stored could not be looked at. Run it again in ten minutes.',
  );
}

async function removeMessages(
  messages: Messages,
  { clientId, userId }: Person,
): Promise<{ removed: number; unreadable: number }> {
  let removed = 0;
  const staying: ReceivedMessage[] = [];
  try {
    for await (const batch of messages.receive()) {
      const { theirs = [], others = [] } = Object.groupBy(batch, ({ event }) =>
        event?.clientId === clientId && event.userId === userId ? 'theirs' : 'others',
      );
      staying.push(...others);
      await messages.delete(theirs);
      removed += theirs.length;
    }
  } finally {
    await messages.release(staying);
  }
  return { removed, unreadable: staying.filter(({ event }) => !event).length };
}

async function areNoneInFlight(...all: readonly Messages[]): Promise<boolean> {
  const counts = await Promise.all(all.map((messages) => messages.count()));
  return counts.every(({ inFlight }) => inFlight === 0);
}

async function removeItems(
  dynamodb: DynamoDBDocumentClient,
  TableName: string,
  { clientId, userId }: Person,
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
