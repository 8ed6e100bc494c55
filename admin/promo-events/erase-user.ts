import { setTimeout } from 'node:timers/promises';
import { DeleteCommand, type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import { userPrefix } from '../../core/promo-events/promo-event.ts';
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
export class UserErasure {
  readonly #places: UserPlaces;
  readonly #user: User;
  readonly #listener: ErasureListener;
  readonly removed = { queue: 0, deadLetterQueue: 0, table: 0 };
  /** The last search; undefined if it failed. */
  searches: Searches | undefined;

  constructor(places: UserPlaces, user: User, listener: ErasureListener) {
    this.#places = places;
    this.#user = user;
    this.#listener = listener;
  }

  /** Finds what would be erased. Searches again while messages are in flight elsewhere. */
  async find(): Promise<Found> {
    return this.#withItems(await this.#search(false));
  }

  /** Finds what is to be erased. Waits only before it reports that nothing is stored. */
  async findToErase(): Promise<Found> {
    const found = await this.#withItems(await this.#searchOnce(false));
    if (!hasNothing(found) || found.isIdle) return found;
    await this.#waitForReturn();
    return this.find();
  }

  /**
   * Erases what `findToErase` found, and what arrived since. It starts with the queues, so that no
   * message is stored behind the search of the table. While the queue is long, it waits for the
   * function that stores its messages instead of hiding them from it. If the queue was in use, it
   * searches again after the visibility timeout: by then, messages in flight are stored or have
   * returned, whatever the approximate counts of SQS said.
   *
   * @returns the last search.
   * @throws the errors of the AWS clients, and the reason of the signal. `removed` stays accurate.
   */
  async erase({ isIdle }: Found): Promise<Searches> {
    const searches = await this.#eraseOnce();
    if ((isIdle && searches.isIdle) || isTooLong(searches)) return searches;
    await this.#waitForReturn();
    return this.#eraseOnce();
  }

  async #eraseOnce(): Promise<Searches> {
    await waitForShortQueue(this.#places.queue, SHORT_QUEUE, this.#listener);
    const searches = await this.#search(true);
    this.#listener.signal.throwIfAborted();
    const { documentClient, tableName: TableName } = this.#places;
    for await (const Key of this.#items()) {
      await documentClient.send(new DeleteCommand({ TableName, Key }));
      this.#listener.onRemoved(++this.removed.table);
    }
    return searches;
  }

  async #withItems(searches: Searches): Promise<Found> {
    let table = 0;
    for await (const _ of this.#items()) table++;
    this.#listener.signal.throwIfAborted();
    return { ...searches, table };
  }

  /** Returns the last search; idle if all searches were. */
  async #search(removes: boolean): Promise<Searches> {
    let wasIdle = true;
    for (let pass = 1; ; pass++) {
      const searches = await this.#searchOnce(removes);
      wasIdle &&= searches.isIdle;
      const isDone = isTooLong(searches) || incompleteness(searches) === undefined;
      if (isDone || pass === MAX_PASSES) return { ...searches, isIdle: wasIdle };
      await setTimeout(PAUSE_MS);
    }
  }

  async #searchOnce(removes: boolean): Promise<Searches> {
    const { clientId, userId } = this.#user;
    this.searches = undefined;
    this.searches = await searchQueues(this.#places, (name) => ({
      ...{ ...LIMITS[name], removes, ...this.#listener },
      isWanted: (event) => event.clientId === clientId && event.userId === userId,
      onFound: (found) => {
        if (removes) this.removed[name] += found.length;
      },
    }));
    return this.searches;
  }

  async #waitForReturn(): Promise<void> {
    const { onInUse, signal } = this.#listener;
    const seconds = await this.#places.queue.visibilityTimeoutSeconds();
    onInUse(seconds);
    await setTimeout(seconds * 1000, undefined, { signal }).catch(() => {});
    signal.throwIfAborted();
  }

  /** Reads the keys of the user's items. */
  async *#items(): AsyncGenerator<Record<string, unknown>> {
    const { clientId, userId } = this.#user;
    const pages = paginateQuery(
      { client: this.#places.documentClient },
      {
        TableName: this.#places.tableName,
        KeyConditionExpression: 'clientId = :clientId AND begins_with(eventId, :prefix)',
        ExpressionAttributeValues: { ':clientId': clientId, ':prefix': userPrefix(userId) },
        ProjectionExpression: 'clientId, eventId',
        ConsistentRead: true,
      },
    );
    for await (const { Items = [] } of pages) yield* Items;
  }
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
