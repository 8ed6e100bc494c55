import type { BatchResultErrorEntry } from '@aws-sdk/client-sqs';
import type { PromoEvent } from '../../core/promo-events/promo-event.ts';
import type { MessageInFlight, Messages, ReceivedMessage } from './sqs-queue.ts';

/**
 * How dead letters are searched. Nothing waits for them. SQS allows 120,000 messages in flight, and
 * returns none beyond that, as if the queue were empty.
 */
export const DEAD_LETTERS = { maxMessages: 100_000, visibilityTimeoutSeconds: 600 };

export interface SearchOptions {
  /** Whether the event of a message is one of those that are searched for. */
  readonly isWanted: (event: PromoEvent) => boolean;
  /** Whether the messages that are found are removed. */
  readonly removes: boolean;
  /**
   * A queue with more messages is not searched: the search hides the messages of others until it
   * ends.
   */
  readonly maxMessages: number;
  /** The time after which the messages of a killed search can be received again. */
  readonly visibilityTimeoutSeconds: number;
  /** Receives the messages that were just found or, if they were to be removed, removed. */
  readonly onFound: (messages: readonly ReceivedMessage[]) => void;
  /** Receives how many messages were searched so far. */
  readonly progress: (searched: number) => void;
  readonly signal: AbortSignal;
}

/** The result of a search. */
export interface Search {
  /** How many messages were found; if they were to be removed, those that are removed. */
  readonly found: number;
  /** Messages that do not contain a promo event. */
  readonly unreadable: number;
  /** Messages that SQS did not delete. */
  readonly refused: readonly BatchResultErrorEntry[];
  /** Whether the search reached the end of the queue. */
  readonly isComplete: boolean;
}

/**
 * Searches a queue for messages, and releases the others at the end. It keeps no content of theirs.
 *
 * @throws what the SQS client throws. The messages can be received again at once, or after the
 *   visibility timeout.
 */
export async function searchQueue(messages: Messages, options: SearchOptions): Promise<Search> {
  const { isWanted, removes, maxMessages, visibilityTimeoutSeconds, onFound, progress, signal } =
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
    const wanted = batch.filter(({ event }) => event && isWanted(event));
    const deleted = removes ? await messages.delete(wanted) : { accepted: wanted, refused: [] };
    found += deleted.accepted.length;
    onFound(deleted.accepted);
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
  return { found, unreadable, refused, isComplete: !isStopped && !signal.aborted };
}
