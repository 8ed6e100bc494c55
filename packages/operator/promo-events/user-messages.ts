import { setTimeout } from 'node:timers/promises';
import { type Search, type SearchOptions, searchQueue } from './search-queue.ts';
import type { Messages } from './sqs-queue.ts';

/** The queues that can hold promo events of a user. */
export type QueueName = 'queue' | 'deadLetterQueue';

/** The result of a search of both queues. */
export interface Searches {
  readonly queue: QueueSearch;
  readonly deadLetterQueue: QueueSearch;
  /** True if the queue was empty and no dead letter in flight, before and after the search. */
  readonly isIdle: boolean;
}

/** The result of a search of one of the queues. */
export interface QueueSearch extends Search {
  /** Approximate number of unsearched messages: those in flight elsewhere, or all if too many. */
  readonly unsearched: number;
}

/**
 * Searches the queue, the dead letters, and the queue again: a message that moves between them is
 * found in one of them. Counts before and after, because a message in flight elsewhere may return
 * behind the search. Throws the SQS client's errors.
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
  const first = await searchQueue(queue, optionsOf('queue'));
  const letters = await searchQueue(deadLetterQueue, optionsOf('deadLetterQueue'));
  const { waiting, inFlight } = before.deadLetterQueue;
  const mayHaveMoved = waiting + inFlight > 0 && first.isComplete;
  const searches = {
    queue: mayHaveMoved ? await searchAgain(queue, optionsOf('queue'), first) : first,
    deadLetterQueue: letters,
  };
  const after = await count();
  const resultOf = (name: QueueName): QueueSearch => {
    const inFlight = Math.max(before[name].inFlight, after[name].inFlight);
    const unsearched = searches[name].isComplete ? inFlight : inFlight + before[name].waiting;
    return { ...searches[name], unsearched };
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

/** Searches a queue again. Returns the result of both searches. */
async function searchAgain(
  messages: Messages,
  options: SearchOptions,
  first: Search,
): Promise<Search> {
  const again = await searchQueue(messages, options);
  return {
    // Messages that are not removed are found twice.
    found: options.removes ? first.found + again.found : Math.max(first.found, again.found),
    unreadable: Math.max(first.unreadable, again.unreadable),
    refused: [...first.refused, ...again.refused],
    isComplete: first.isComplete && again.isComplete,
  };
}

const INTERVAL_MS = 10_000;
/** Time for which a queue may fail to get shorter. */
const PATIENCE_MS = 300_000;

/**
 * Waits until a queue is short, as long as it gets shorter. Its messages stay visible to the
 * function that stores them.
 *
 * @param maxMessages the length, waiting and in flight, that ends the wait.
 * @param onLong receives the length before each wait.
 */
export async function waitForShortQueue(
  messages: Messages,
  maxMessages: number,
  { onLong, signal }: { readonly onLong: (length: number) => void; readonly signal: AbortSignal },
): Promise<void> {
  let lowest = Number.POSITIVE_INFINITY;
  let waitedMs = 0;
  while (!signal.aborted) {
    const length = await messages.length();
    if (length <= maxMessages) return;
    onLong(length);
    waitedMs = length < lowest ? 0 : waitedMs + INTERVAL_MS;
    lowest = Math.min(lowest, length);
    if (waitedMs >= PATIENCE_MS) return;
    await setTimeout(INTERVAL_MS, undefined, { signal }).catch(() => {});
  }
}
