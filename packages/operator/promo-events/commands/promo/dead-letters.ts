import { type IsErased, LISTED, type PromoEvent } from 'customer-data-api/promo-events';
import { interruption, progressBar, type Terminal } from 'customer-data-api-deployment/program';
import { inFlightElsewhere, tooManyDeadLetters } from '../../../describe-queue.ts';
import type { PrintedPromoEvent } from '../../promo-events-csv.ts';
import type { PromoEventFilter } from '../../search.ts';
import { searchDeadLetters } from '../../search-dead-letters.ts';
import { matchOf } from '../../similar-promo-events.ts';
import type { SqsQueue } from '../../sqs-queue.ts';

/** What a search of the dead letters found. */
interface FoundDeadLetters {
  readonly exact: readonly PrintedPromoEvent[];
  /** Those whose user or code is only similar to that of the filter. */
  readonly similar: readonly PrintedPromoEvent[];
  /** Why the search may have missed some, and what to do; undefined if it has not. */
  readonly problem: string | undefined;
}

/**
 * Finds dead letters that a filter names, or similar ones, without those of erased users. They are
 * received for that, and released at the end.
 */
export async function findDeadLetters(
  messages: SqsQueue,
  isErased: IsErased,
  filter: PromoEventFilter,
  terminal: Terminal,
): Promise<FoundDeadLetters> {
  using interrupted = interruption();
  const { signal } = interrupted;
  using bar = progressBar(terminal, 'Dead letters searched');
  // By message id: after the visibility timeout, a message is received again.
  const found = new Map<string, PromoEvent>();
  const before = await messages.count();
  const isComplete = await searchDeadLetters(messages, {
    onSearched: bar.show,
    signal,
    isWanted: (event) => matchOf(event, filter) !== undefined,
    onFound: (batch) => {
      for (const { messageId, event } of batch) if (event) found.set(messageId, event);
    },
  });
  const after = await messages.count();
  const kept: PromoEvent[] = [];
  for (const event of found.values()) if (!(await isErased(event))) kept.push(event);
  const eventsOf = (match: 'exact' | 'similar') =>
    kept.filter((event) => matchOf(event, filter) === match).map(printed);
  const missed = before.inFlight + after.inFlight > 0 ? inFlightElsewhere() : undefined;
  return {
    exact: eventsOf('exact'),
    similar: eventsOf('similar'),
    problem: signal.aborted ? signal.reason.message : isComplete ? missed : tooManyDeadLetters(),
  };
}

/** A dead letter like an event of the table: without the token of its code. */
function printed(event: PromoEvent): PrintedPromoEvent {
  const letter = { ...event, kind: 'dead' };
  return Object.fromEntries(LISTED.map((name) => [name, letter[name]]));
}
