import type { BatchResultErrorEntry } from '@aws-sdk/client-sqs';
import type { PromoEvent } from '../../core/promo-events/promo-event.ts';
import type { Messages, ReceivedMessage } from './sqs-queue.ts';

/** How dead letters are searched. Nothing waits for them. */
export const SEARCHED_DEAD_LETTERS = { maxMessages: 100_000, visibilityTimeoutSeconds: 600 };

export interface SearchOptions {
  /** Returns true for the events that are searched for. */
  readonly isWanted: (event: PromoEvent) => boolean;
  /** Removes the messages that are found. */
  readonly removes: boolean;
  /** A queue with more messages is not searched: a search hides them from others until it ends. */
  readonly maxMessages: number;
  /** The time after which the messages of a killed search can be received again, in seconds. */
  readonly visibilityTimeoutSeconds: number;
  /** Receives the messages that were just found or, with `removes`, removed. */
  readonly onFound: (messages: readonly ReceivedMessage[]) => void;
  /** Receives how many messages were searched so far. */
  readonly onSearched: (count: number) => void;
  readonly signal: AbortSignal;
}

/** The result of a search. */
export interface Search {
  /** The number of messages that were found or, with `removes`, removed. */
  readonly found: number;
  /** The number of messages without a promo event. */
  readonly unreadable: number;
  /** Messages that SQS did not delete. */
  readonly refused: readonly BatchResultErrorEntry[];
  /** True if the search reached the end of the queue. */
  readonly isComplete: boolean;
}

/**
 * Searches a queue for messages, and releases the others at the end. It keeps no content of theirs.
 *
 * @throws what the SQS client throws. The messages can be received again at once, or after the
 *   visibility timeout.
 */
export async function searchQueue(messages: Messages, options: SearchOptions): Promise<Search> {
  const { isWanted, removes, maxMessages, visibilityTimeoutSeconds, signal } = options;
  const refused: BatchResultErrorEntry[] = [];
  const counts = { found: 0, unreadable: 0 };
  if ((await messages.count()).waiting > maxMessages) {
    return { ...counts, refused, isComplete: false };
  }
  let searched = 0;
  const { isComplete } = await messages.visit(
    { visibilityTimeoutSeconds, maxStaying: maxMessages + 1, signal },
    async (batch) => {
      searched += batch.length;
      options.onSearched(searched);
      counts.unreadable += batch.filter(({ event, isAgain }) => !event && !isAgain).length;
      const wanted = batch.filter(({ event }) => event && isWanted(event));
      const deleted = removes ? await messages.delete(wanted) : { accepted: wanted, refused: [] };
      counts.found += deleted.accepted.length;
      options.onFound(deleted.accepted);
      refused.push(...deleted.refused);
      return removes ? deleted.accepted : [];
    },
  );
  return { ...counts, refused, isComplete };
}
