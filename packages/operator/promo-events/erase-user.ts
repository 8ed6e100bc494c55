import { setTimeout } from 'node:timers/promises';
import { DeleteCommand, type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import { comparableId, formsOf } from 'customer-data-api/configuration';
import { userPrefix } from 'customer-data-api/promo-events';
import { SEARCHED_DEAD_LETTERS } from './search-queue.ts';
import type { Messages } from './sqs-queue.ts';
import { type QueueName, type Searches, searchQueues, waitForShortQueue } from './user-messages.ts';

/** Searches of the queues before giving up on messages in flight elsewhere. */
const MAX_PASSES = 5;
const PAUSE_MS = 1000;
/** The longest queue that is searched: so few messages are hidden for seconds only. */
export const SHORT_QUEUE = 1000;
const LIMITS = {
  queue: { maxMessages: SHORT_QUEUE, visibilityTimeoutSeconds: 30 },
  deadLetterQueue: SEARCHED_DEAD_LETTERS,
};

/** A user of one client: the same `userId` of another client is another user. */
export interface User {
  readonly clientId: string;
  readonly userId: string;
}

/** The places that can hold promo events of a user. */
export interface UserPlaces extends Readonly<Record<QueueName, Messages>> {
  readonly documentClient: DynamoDBDocumentClient;
  readonly tableName: string;
}

/** Callbacks and the signal of an erasure. */
export interface ErasureListener {
  /** Receives the number of messages searched so far in a queue. */
  readonly onSearched: (count: number) => void;
  readonly onRemoved: (count: number) => void;
  /** The queue is too long: the erasure waits until its messages are stored. */
  readonly onLong: (length: number) => void;
  /** The queue is in use: it is searched again after so many seconds. */
  readonly onInUse: (seconds: number) => void;
  /** Its reason is what the methods throw, after the batches in flight. */
  readonly signal: AbortSignal;
}

/** The data found about a user. */
export interface Found extends Searches {
  readonly table: number;
}

/** The reason why messages of a user may remain. */
export type Incomplete = 'refused' | 'queueTooLong' | 'deadLettersTooLong' | 'inFlight';

/** Finds and erases the promo events of one user. Can be repeated. */
export function userErasure(places: UserPlaces, user: User, listener: ErasureListener) {
  const { clientId, userId } = user;
  const { documentClient, tableName: TableName, queue } = places;
  const { onRemoved, onInUse, signal } = listener;
  const removed = { queue: 0, deadLetterQueue: 0, table: 0 };
  let last: Searches | undefined;

  async function searchOnce(removes: boolean): Promise<Searches> {
    last = undefined;
    last = await searchQueues(places, (name) => ({
      ...{ ...LIMITS[name], removes, ...listener },
      isWanted: (event) =>
        event.clientId === clientId && comparableId(event.userId) === comparableId(userId),
      onFound: (found) => {
        if (removes) removed[name] += found.length;
      },
    }));
    return last;
  }

  /** Returns the last search; idle if all searches were. */
  async function search(removes: boolean): Promise<Searches> {
    let wasIdle = true;
    for (let pass = 1; ; pass++) {
      const searches = await searchOnce(removes);
      wasIdle &&= searches.isIdle;
      const isDone = isTooLong(searches) || incompleteness(searches) === undefined;
      if (isDone || pass === MAX_PASSES) return { ...searches, isIdle: wasIdle };
      await setTimeout(PAUSE_MS);
    }
  }

  /** Reads the keys of the user's items. */
  async function* items(): AsyncGenerator<Record<string, unknown>> {
    for (const form of formsOf(userId)) yield* itemsWith(userPrefix(form));
  }

  async function* itemsWith(prefix: string): AsyncGenerator<Record<string, unknown>> {
    const pages = paginateQuery(
      { client: documentClient },
      {
        TableName,
        KeyConditionExpression: 'clientId = :clientId AND begins_with(eventId, :prefix)',
        ExpressionAttributeValues: { ':clientId': clientId, ':prefix': prefix },
        Select: 'SPECIFIC_ATTRIBUTES',
        ProjectionExpression: 'clientId, eventId',
        ConsistentRead: true,
      },
    );
    for await (const { Items = [] } of pages) yield* Items;
  }

  async function withItems(searches: Searches): Promise<Found> {
    let table = 0;
    for await (const _ of items()) table++;
    signal.throwIfAborted();
    return { ...searches, table };
  }

  async function waitForReturn(): Promise<void> {
    const seconds = await queue.visibilityTimeoutSeconds();
    onInUse(seconds);
    await setTimeout(seconds * 1000, undefined, { signal }).catch(() => {});
    signal.throwIfAborted();
  }

  async function eraseOnce(): Promise<Searches> {
    await waitForShortQueue(queue, SHORT_QUEUE, listener);
    const searches = await search(true);
    signal.throwIfAborted();
    for await (const Key of items()) {
      await documentClient.send(new DeleteCommand({ TableName, Key }));
      onRemoved(++removed.table);
    }
    return searches;
  }

  /** Finds what would be erased. Searches again while messages are in flight elsewhere. */
  const find = async (): Promise<Found> => withItems(await search(false));

  return {
    removed,
    /** Returns the last search; undefined if it failed. */
    lastSearch: () => last,
    find,

    /** Finds what is to be erased. Waits only before it reports that nothing is stored. */
    findToErase: async (): Promise<Found> => {
      const found = await withItems(await searchOnce(false));
      if (!hasNothing(found) || found.isIdle) return found;
      await waitForReturn();
      return find();
    },

    /**
     * Erases what `findToErase` found, and what arrived since. It starts with the queues, so that
     * no message is stored behind the search of the table. While the queue is long, it waits for
     * the function that stores its messages instead of hiding them from it. If the queue was in
     * use, it searches again after the visibility timeout: by then, messages in flight are stored
     * or have returned, whatever the approximate counts of SQS said.
     *
     * @returns the last search.
     * @throws the errors of the AWS clients, and the reason of the signal. `removed` stays right.
     */
    erase: async ({ isIdle }: Found): Promise<Searches> => {
      const searches = await eraseOnce();
      if ((isIdle && searches.isIdle) || isTooLong(searches)) return searches;
      await waitForReturn();
      return eraseOnce();
    },
  };
}

/** True if nothing was found. A queue too long to be searched may hold something. */
export function hasNothing(found: Found): boolean {
  const { queue, deadLetterQueue, table } = found;
  return !isTooLong(found) && queue.found + deadLetterQueue.found + table === 0;
}

/** True if a queue has more messages than can be searched. */
function isTooLong({ queue, deadLetterQueue }: Searches): boolean {
  return !queue.isComplete || !deadLetterQueue.isComplete;
}

/** Returns the reason why messages of the user may remain; undefined if none can. */
export function incompleteness({ queue, deadLetterQueue }: Searches): Incomplete | undefined {
  if (queue.refused.length + deadLetterQueue.refused.length > 0) return 'refused';
  if (!queue.isComplete) return 'queueTooLong';
  if (!deadLetterQueue.isComplete) return 'deadLettersTooLong';
  return queue.unsearched + deadLetterQueue.unsearched > 0 ? 'inFlight' : undefined;
}
