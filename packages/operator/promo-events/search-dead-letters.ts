import type { PromoEvent } from 'customer-data-api/promo-events';
import type { ReceivedMessage, SqsQueue } from './sqs-queue.ts';

/** More dead letters are not searched: SQS allows 120,000 messages in flight. */
const MAX_MESSAGES = 100_000;
/** Nothing waits for dead letters. */
const VISIBILITY_TIMEOUT_SECONDS = 600;

interface SearchOptions {
  /** True for the events to find. */
  readonly isWanted: (event: PromoEvent) => boolean;
  /** Receives the messages just found. After the visibility timeout, one is found again. */
  readonly onFound: (messages: readonly ReceivedMessage[]) => void;
  readonly onSearched: (count: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Searches the dead letters, and releases them at the end. Keeps none of their content. After an
 * error of the SQS client, messages may be hidden until the visibility timeout.
 *
 * @returns true if it reached the end of the queue.
 */
export async function searchDeadLetters(
  deadLetters: SqsQueue,
  { isWanted, onFound, onSearched, signal }: SearchOptions,
): Promise<boolean> {
  if ((await deadLetters.count()).waiting > MAX_MESSAGES) return false;
  let searched = 0;
  const { isComplete } = await deadLetters.visit(
    {
      visibilityTimeoutSeconds: VISIBILITY_TIMEOUT_SECONDS,
      maxStaying: MAX_MESSAGES + 1,
      signal,
    },
    async (batch) => {
      searched += batch.length;
      onSearched(searched);
      onFound(batch.filter(({ event }) => event && isWanted(event)));
      return [];
    },
  );
  return isComplete;
}
