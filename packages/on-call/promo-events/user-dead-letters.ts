import { type IsErased, type PromoEvent, readPromoEvent } from 'customer-data-api/promo-events';
import { looksAlike } from './same-user-or-code.ts';
import { type ListedPromoEvent, listedEvent } from './search.ts';
import type { SqsQueue } from './sqs-queue.ts';
import type { User } from './stored-spellings.ts';
import { promoError } from './words.ts';

/** More dead letters are not searched: SQS allows 120,000 messages in flight. */
const MAX_MESSAGES = 100_000;
/** Nothing waits for dead letters. */
const VISIBILITY_TIMEOUT_SECONDS = 600;

interface SearchOptions {
  readonly isErased: IsErased;
  readonly onSearched: (count: number) => void;
  readonly signal: AbortSignal;
}

/** The result of a search of the dead letters. */
interface FoundDeadLetters {
  /** Events like those of the table, with the kind `dead`. */
  readonly events: readonly ListedPromoEvent[];
  /** The error for which the search may have missed some; undefined if it has not. */
  readonly failure: unknown;
}

/**
 * Finds the dead letters of a user, without what is erased. It receives all of them, and releases
 * them at the end. After an error of the SQS client, messages may be hidden until the visibility
 * timeout.
 */
export async function findDeadLetters(
  deadLetters: SqsQueue,
  { clientId, userId }: User,
  { isErased, onSearched, signal }: SearchOptions,
): Promise<FoundDeadLetters> {
  const before = await deadLetters.count();
  if (before.waiting > MAX_MESSAGES) {
    return { events: [], failure: promoError('tooManyDeadLetters', {}) };
  }
  // By message id: after the visibility timeout, a message is received again.
  const found = new Map<string, PromoEvent>();
  let searched = 0;
  const isComplete = await deadLetters.visit(
    {
      visibilityTimeoutSeconds: VISIBILITY_TIMEOUT_SECONDS,
      maxMessages: MAX_MESSAGES + 1,
      signal,
    },
    (batch) => {
      searched += batch.length;
      onSearched(searched);
      for (const { messageId, body } of batch) {
        const { event } = readPromoEvent(body);
        if (event?.clientId === clientId && looksAlike(userId, event.userId)) {
          found.set(messageId, event);
        }
      }
    },
  );
  const after = await deadLetters.count();
  const events: ListedPromoEvent[] = [];
  for (const event of found.values()) {
    if (!(await isErased(event))) events.push(listedEvent({ ...event, kind: 'dead' }));
  }
  const isMissed = before.inFlight + after.inFlight > 0;
  const missed = isMissed ? promoError('deadLettersInFlight', {}) : undefined;
  return {
    events,
    failure: signal.aborted
      ? signal.reason
      : isComplete
        ? missed
        : promoError('tooManyDeadLetters', {}),
  };
}
