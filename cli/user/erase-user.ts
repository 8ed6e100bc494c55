import { setTimeout } from 'node:timers/promises';
import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  paginateQuery,
} from '@aws-sdk/lib-dynamodb';
import { CommandError } from '../../core/platform/command-error.ts';
import { userPrefix } from '../../core/promo-events/promo-event.ts';
import { documentClient, sqsClient } from '../aws-clients.ts';
import type { Outputs } from '../outputs.ts';
import { noProgress, type StartProgress } from '../progress.ts';
import { describeRefused, Messages } from '../queue-messages.ts';
import { type Search, searchQueue, type User, waitForShortQueue } from './user-messages.ts';

/** The maximum number of searches of the queues, which are repeated while messages are in flight elsewhere. */
const MAX_PASSES = 5;
const PAUSE_MS = 1000;
/** So few that they are hidden for seconds: a function stores them. */
const QUEUE = { maxMessages: 1000, visibilityTimeoutSeconds: 30 };
/** Nothing waits for dead letters. SQS allows 120,000 messages in flight, and returns none beyond that, as if it were empty. */
const DEAD_LETTER_QUEUE = { maxMessages: 100_000, visibilityTimeoutSeconds: 600 };
/** The queue is counted every 10 s, until it has not become shorter for 5 minutes. */
const WAIT = { intervalMs: 10_000, patienceMs: 300_000 };

export interface EraseOptions {
  /** Prints one JSON document instead of sentences. */
  readonly json?: boolean | undefined;
  /** Prints a line of the result; with `isDryRun`, what would be removed is the result. */
  readonly print: (line: string) => void;
  /** Prints a line that is not part of the result. */
  readonly note: (line: string) => void;
  /** Asks whether to remove what was shown. */
  readonly confirm: () => Promise<boolean>;
  /** Only shows what would be removed. */
  readonly isDryRun?: boolean | undefined;
  readonly progress?: StartProgress;
  /** Ends the run after the batches in flight. */
  readonly signal?: AbortSignal;
  /** The limits of a search, for tests. */
  readonly queue?: typeof QUEUE;
  readonly deadLetterQueue?: typeof DEAD_LETTER_QUEUE;
  readonly wait?: typeof WAIT;
  /** The pause between two searches, in milliseconds; 1000 by default. */
  readonly pauseMs?: number;
}

/**
 * Shows the promo events of one user and, if confirmed, erases them. It starts with the messages in both queues, so that
 * none of them is stored in the table after the table was searched. While the queue is long, it waits for the function
 * that stores its messages instead of hiding them from it.
 *
 * @throws CommandError when there is nothing to erase, and when the erasure is not confirmed.
 * @throws CommandError when a message may be left: another receiver had it in flight, SQS did not delete it, or there
 *   are too many to search. Everything that it printed as removed is removed.
 * @throws what the SQS and DynamoDB clients throw. A run that failed or was killed can be repeated.
 */
export async function eraseUser(
  outputs: Outputs,
  user: User,
  options: EraseOptions,
): Promise<void> {
  const {
    json,
    print,
    note,
    confirm,
    isDryRun,
    progress = noProgress,
    signal,
    queue = QUEUE,
    deadLetterQueue = DEAD_LETTER_QUEUE,
  } = options;
  const { wait = WAIT, pauseMs = PAUSE_MS } = options;
  const sqs = sqsClient(outputs);
  const dynamodb = documentClient(outputs);
  const messages = {
    queue: new Messages(sqs, outputs.PromoEventsQueueUrl),
    deadLetterQueue: new Messages(sqs, outputs.PromoEventsDeadLetterQueueUrl),
  };
  const removed = { queue: 0, deadLetterQueue: 0, table: 0 };
  const search = async (removes: boolean) => {
    using bar = progress('Messages searched');
    const searchOne = (name: keyof typeof messages, limits: typeof QUEUE) => {
      const onFound = (count: number) => {
        if (removes) removed[name] += count;
      };
      const common = { user, removes, onFound, progress: bar.show, signal };
      return searchQueue(messages[name], { ...common, ...limits });
    };
    return {
      queue: await searchOne('queue', queue),
      deadLetterQueue: await searchOne('deadLetterQueue', deadLetterQueue),
    };
  };
  const isAnyInFlight = async () => {
    const counts = await Promise.all(Object.values(messages).map((one) => one.count()));
    return counts.some(({ inFlight }) => inFlight > 0);
  };

  let unreadable = 0;
  let problem: string | undefined;
  const removeMessages = async () => {
    await waitForShortQueue(messages.queue, { ...wait, ...queue, note, signal });
    for (let pass = 0; pass < MAX_PASSES && (pass === 0 || problem); pass++) {
      if (pass > 0) await setTimeout(pauseMs);
      // A message in flight elsewhere may return behind the search, so there must be none before and after it.
      const wasInFlight = await isAnyInFlight();
      const searches = await search(true);
      const isInFlight = await isAnyInFlight();
      unreadable = searches.queue.unreadable + searches.deadLetterQueue.unreadable;
      problem = problemOf(searches, wasInFlight || isInFlight);
      if (signal?.aborted) break;
    }
  };
  const removeAllItems = async (expected: number) => {
    using bar = progress('Items removed', expected);
    await removeItems(dynamodb, outputs, user, () => bar.show(++removed.table));
  };

  try {
    const mayReturn = await isAnyInFlight();
    const found = { ...(await search(false)), table: await countItems(dynamodb, outputs, user) };
    endIfInterrupted(signal);
    if (!mayReturn && hasNothing(found)) throw await nothingFound(dynamodb, outputs, user);
    if (isDryRun && json) print(JSON.stringify(asJson(user, found)));
    else for (const line of preview(user, found)) (isDryRun ? print : note)(line);
    if (isDryRun) return;
    if (!(await confirm())) throw new CommandError('Nothing was removed.', 'notConfirmed');

    // What is removed is said even if a call fails then.
    try {
      try {
        await removeMessages();
      } finally {
        if (!json) {
          print(`Removed from the queue: ${removed.queue}`);
          print(`Removed from the dead-letter queue: ${removed.deadLetterQueue}`);
        }
      }
      if (unreadable > 0) note(`Messages without a promo event, left in the queues: ${unreadable}`);
      endIfInterrupted(signal);
      try {
        await removeAllItems(found.table);
      } finally {
        if (!json) print(`Removed from the table: ${removed.table}`);
      }
    } finally {
      if (json) print(JSON.stringify({ ...user, removed, unreadable }));
    }
    if (problem) throw new CommandError(problem, 'incomplete');
    if (removed.queue + removed.deadLetterQueue + removed.table === 0) {
      throw await nothingFound(dynamodb, outputs, user);
    }
  } finally {
    sqs.destroy();
    dynamodb.destroy();
  }
}

interface Found {
  readonly queue: Search;
  readonly deadLetterQueue: Search;
  readonly table: number;
}

/** Whether there is nothing of the user for sure. */
function hasNothing({ queue, deadLetterQueue, table }: Found): boolean {
  return table === 0 && [queue, deadLetterQueue].every((one) => one.isComplete && one.found === 0);
}

async function nothingFound(
  dynamodb: DynamoDBDocumentClient,
  { ConfigsTableName }: Outputs,
  { clientId, userId }: User,
): Promise<CommandError> {
  const { Item } = await dynamodb.send(
    new GetCommand({
      TableName: ConfigsTableName,
      Key: { clientId },
      ProjectionExpression: 'clientId',
    }),
  );
  return Item
    ? new CommandError(
        `The client ${clientId} has no promo events of the user ${userId}. Nothing was removed.`,
        'nothingFound',
      )
    : new CommandError(`There is no client ${clientId}. Nothing was removed.`, 'noSuchClient');
}

function preview({ clientId, userId }: User, { queue, deadLetterQueue, table }: Found): string[] {
  const inQueue = ({ found, isComplete }: Search) =>
    isComplete ? String(found) : 'not known, because it is too long to be searched now';
  return [
    `Promo events of the user ${userId} of the client ${clientId}:`,
    `  in the queue: ${inQueue(queue)}`,
    `  in the dead-letter queue: ${inQueue(deadLetterQueue)}`,
    `  in the table: ${table}`,
  ];
}

/** What a dry run found. The count of a queue that is too long to be searched is null. */
function asJson(user: User, { queue, deadLetterQueue, table }: Found): object {
  const inQueue = ({ found, isComplete }: Search) => (isComplete ? found : null);
  return {
    ...user,
    found: { queue: inQueue(queue), deadLetterQueue: inQueue(deadLetterQueue), table },
  };
}

/** The reason why messages of the user may be left, in one line; undefined if none can be. */
function problemOf(
  { queue, deadLetterQueue }: Omit<Found, 'table'>,
  isAnyInFlight: boolean,
): string | undefined {
  const refused = [...queue.refused, ...deadLetterQueue.refused];
  if (refused.length > 0) return `${describeRefused(refused)} Run it again.`;
  if (!queue.isComplete) {
    return 'The queue has too many messages to be searched, and does not become shorter. Run it again when its messages are stored.';
  }
  if (!deadLetterQueue.isComplete) {
    return 'The dead-letter queue has too many messages to be searched. Move them back with customer-data queue redrive, and run it again when they are stored.';
  }
  return isAnyInFlight
    ? 'Messages in flight elsewhere could not be searched. Run it again in ten minutes.'
    : undefined;
}

function endIfInterrupted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new CommandError('Interrupted. Run it again.', 'interrupted');
}

async function countItems(
  dynamodb: DynamoDBDocumentClient,
  outputs: Outputs,
  user: User,
): Promise<number> {
  let count = 0;
  for await (const { Items = [] } of pagesOf(dynamodb, outputs, user)) count += Items.length;
  return count;
}

async function removeItems(
  dynamodb: DynamoDBDocumentClient,
  outputs: Outputs,
  user: User,
  onRemoved: () => void,
): Promise<void> {
  const TableName = outputs.PromoEventsTableName;
  for await (const { Items = [] } of pagesOf(dynamodb, outputs, user)) {
    for (const Key of Items) {
      await dynamodb.send(new DeleteCommand({ TableName, Key }));
      onRemoved();
    }
  }
}

/** The keys of the user's items. */
function pagesOf(
  client: DynamoDBDocumentClient,
  { PromoEventsTableName }: Outputs,
  { clientId, userId }: User,
) {
  return paginateQuery(
    { client },
    {
      TableName: PromoEventsTableName,
      KeyConditionExpression: 'clientId = :clientId AND begins_with(eventId, :prefix)',
      ExpressionAttributeValues: { ':clientId': clientId, ':prefix': userPrefix(userId) },
      ProjectionExpression: 'clientId, eventId',
      ConsistentRead: true,
    },
  );
}
