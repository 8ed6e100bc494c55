import type { BatchResultErrorEntry } from '@aws-sdk/client-sqs';
import type { PromoEvent } from 'customer-data-api/promo-events';
import type { Messages, ReceivedMessage } from './sqs-queue.ts';

/** Limits for searching dead letters. Nothing waits for them. */
export const SEARCHED_DEAD_LETTERS = { maxMessages: 100_000, visibilityTimeoutSeconds: 600 };

export interface SearchOptions {
  /** True for the events to find. */
  readonly isWanted: (event: PromoEvent) => boolean;
  /** True to remove the messages that are found. */
  readonly removes: boolean;
  /** A longer queue is not searched: a search hides its messages from others until it ends. */
  readonly maxMessages: number;
  /** Seconds until the messages of a killed search can be received again. */
  readonly visibilityTimeoutSeconds: number;
  /** Receives the messages just found or, with `removes`, removed. */
  readonly onFound: (messages: readonly ReceivedMessage[]) => void;
  readonly onSearched: (count: number) => void;
  readonly signal: AbortSignal;
}

/** The result of a search. */
export interface Search {
  /** Messages found or, with `removes`, removed. */
  readonly found: number;
  readonly unreadable: number;
  /** Messages that SQS did not delete. */
  readonly refused: readonly BatchResultErrorEntry[];
  /** True if the search reached the end of the queue. */
  readonly isComplete: boolean;
}

/**
 * Searches a queue, and releases the other messages at the end. Keeps none of their content. After
 * an error of the SQS client, messages may be hidden until the visibility timeout.
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
