import { setTimeout } from 'node:timers/promises';
import type { BatchResultErrorEntry } from '@aws-sdk/client-sqs';
import type { ProgressBar } from '../progress.ts';
import type { MessageInFlight, Messages, ReceivedMessage } from '../queue-messages.ts';

/** A user of one client: the same `userId` of another client is another user. */
export interface User {
  readonly clientId: string;
  readonly userId: string;
}

/** The queues that promo events of a user can be in. */
export type QueueName = 'queue' | 'deadLetterQueue';

export interface SearchOptions {
  readonly user: User;
  /** Whether the messages of the user are removed. */
  readonly removes: boolean;
  /** A queue with more messages is not searched: the search hides the messages of others until it ends. */
  readonly maxMessages: number;
  /** The time after which the messages of a killed search can be received again. */
  readonly visibilityTimeoutSeconds: number;
  /** Receives how many messages of the user were just found or, if they were to be removed, removed. */
  readonly onFound: (messages: number) => void;
  /** Receives how many messages were searched so far. */
  readonly progress: ProgressBar['show'];
  readonly signal?: AbortSignal | undefined;
}

/** The result of a search. */
export interface Search {
  /** Messages of the user; if they were to be removed, those that are removed. */
  readonly found: number;
  /** Messages that do not contain a promo event. */
  readonly unreadable: number;
  /** Messages of the user that SQS did not delete. */
  readonly refused: readonly BatchResultErrorEntry[];
  /** Whether the search reached the end of the queue. */
  readonly isComplete: boolean;
}

/**
 * Searches a queue for the messages of a user, and releases those of others at the end. It keeps no content of theirs.
 *
 * @throws what the SQS client throws. The messages can be received again at once, or after the visibility timeout.
 */
export async function searchQueue(messages: Messages, options: SearchOptions): Promise<Search> {
  const { user, removes, maxMessages, visibilityTimeoutSeconds, onFound, progress, signal } =
    options;
  const staying = new Map<string, MessageInFlight>();
  const refused: BatchResultErrorEntry[] = [];
  let found = 0;
  let unreadable = 0;
  let searched = 0;
  // Too long to be searched: nothing is hidden from others.
  if ((await messages.count()).waiting > maxMessages) {
    return { found, unreadable, refused, isComplete: false };
  }

  async function search(batch: readonly ReceivedMessage[]): Promise<boolean> {
    for (const { messageId, receiptHandle, event } of batch) {
      staying.set(receiptHandle, { messageId, receiptHandle });
      if (!event) unreadable++;
    }
    searched += batch.length;
    progress(searched);
    const own = batch.filter(
      ({ event }) => event?.clientId === user.clientId && event.userId === user.userId,
    );
    const deleted = removes ? await messages.delete(own) : { accepted: own, refused: [] };
    found += deleted.accepted.length;
    onFound(deleted.accepted.length);
    refused.push(...deleted.refused);
    if (removes) for (const { receiptHandle } of deleted.accepted) staying.delete(receiptHandle);
    return staying.size <= maxMessages;
  }

  let isStopped: boolean;
  try {
    isStopped = await messages.forEachBatch(visibilityTimeoutSeconds, signal, search);
  } finally {
    // If this fails, the messages can be received again after the visibility timeout.
    await messages.release([...staying.values()]).catch(() => {});
  }
  return { found, unreadable, refused, isComplete: !isStopped && !signal?.aborted };
}

/** The result of a search of both queues. */
export interface Searches {
  readonly queue: QueueSearch;
  readonly deadLetterQueue: QueueSearch;
  /**
   * Whether no message was in the queue, and no dead letter in flight, before and after the search.
   */
  readonly isIdle: boolean;
}

/** The result of a search of one of the queues. */
export interface QueueSearch extends Search {
  /**
   * About how many messages the search could not look into: those in flight elsewhere, or all if
   * they are too many.
   */
  readonly unsearched: number;
}

/**
 * Searches both queues once, the dead letters last: a message on its way there is found in one of
 * the two. It counts before and after, because a message that somebody else has in flight may
 * return behind the search.
 *
 * @throws what the SQS client throws.
 */
export async function searchQueues(
  { queue, deadLetterQueue }: Readonly<Record<QueueName, Messages>>,
  optionsOf: (name: QueueName) => SearchOptions,
): Promise<Searches> {
  const count = async () => ({
    queue: await queue.count(),
    deadLetterQueue: await deadLetterQueue.count(),
  });
  const before = await count();
  const searches = {
    queue: await searchQueue(queue, optionsOf('queue')),
    deadLetterQueue: await searchQueue(deadLetterQueue, optionsOf('deadLetterQueue')),
  };
  const after = await count();
  const resultOf = (name: QueueName): QueueSearch => {
    const inFlight = Math.max(before[name].inFlight, after[name].inFlight);
    const { isComplete } = searches[name];
    return {
      ...searches[name],
      unsearched: isComplete ? inFlight : inFlight + before[name].waiting,
    };
  };
  return {
    queue: resultOf('queue'),
    deadLetterQueue: resultOf('deadLetterQueue'),
    isIdle: [before, after].every(
      (counts) =>
        counts.queue.waiting + counts.queue.inFlight + counts.deadLetterQueue.inFlight === 0,
    ),
  };
}

export interface WaitOptions {
  /** The number of messages, waiting and in flight, that ends the wait. */
  readonly maxMessages: number;
  readonly intervalMs: number;
  /** How long the queue may stay as long as it is. */
  readonly patienceMs: number;
  readonly note: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Waits until a queue is short, as long as it becomes shorter. Its messages stay visible to the
 * function that stores them.
 */
export async function waitForShortQueue(messages: Messages, options: WaitOptions): Promise<void> {
  const { maxMessages, intervalMs, patienceMs, note, signal } = options;
  let lowest = Number.POSITIVE_INFINITY;
  let waitedMs = 0;
  while (!signal?.aborted) {
    const { waiting, inFlight } = await messages.count();
    const length = waiting + inFlight;
    if (length <= maxMessages) return;
    note(
      `About ${length} messages wait to be stored. The queue is searched when it has ${maxMessages}.`,
    );
    waitedMs = length < lowest ? 0 : waitedMs + intervalMs;
    lowest = Math.min(lowest, length);
    if (waitedMs >= patienceMs) return;
    await setTimeout(intervalMs, undefined, { signal }).catch(() => {});
  }
}
