import type { IsErased, PromoEvent } from 'customer-data-api/promo-events';
import type { User } from './erase.ts';
import { inFlightElsewhere, tooManyDeadLetters } from './redrive.ts';
import { isSameUser } from './same-user-or-code.ts';
import { type ListedPromoEvent, listedEvent } from './search.ts';
import type { SqsQueue } from './sqs-queue.ts';

/** More dead letters are not searched: SQS allows 120,000 messages in flight. */
const MAX_MESSAGES = 100_000;
/** Nothing waits for dead letters. */
const VISIBILITY_TIMEOUT_SECONDS = 600;

interface SearchOptions {
  readonly isErased: IsErased;
  readonly onSearched: (count: number) => void;
  readonly signal: AbortSignal;
}

/** What a search of the dead letters found. */
interface FoundDeadLetters {
  /** Events like those of the table, with the kind `dead`. */
  readonly events: readonly ListedPromoEvent[];
  /** Why the search may have missed some, and what to do; undefined if it has not. */
  readonly problem: string | undefined;
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
  if (before.waiting > MAX_MESSAGES) return { events: [], problem: tooManyDeadLetters() };
  // By message id: after the visibility timeout, a message is received again.
  const found = new Map<string, PromoEvent>();
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
      for (const { messageId, event } of batch) {
        if (event?.clientId === clientId && isSameUser(userId, event.userId)) {
          found.set(messageId, event);
        }
      }
      return [];
    },
  );
  const after = await deadLetters.count();
  const events: ListedPromoEvent[] = [];
  for (const event of found.values()) {
    if (!(await isErased(event))) events.push(listedEvent({ ...event, kind: 'dead' }));
  }
  const missed = before.inFlight + after.inFlight > 0 ? inFlightElsewhere() : undefined;
  return {
    events,
    problem: signal.aborted ? signal.reason.message : isComplete ? missed : tooManyDeadLetters(),
  };
}
