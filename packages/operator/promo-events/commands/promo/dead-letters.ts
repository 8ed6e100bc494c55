import { LISTED, type PromoEvent } from 'customer-data-api/promo-events';
import type { Terminal } from 'customer-data-api-deployment/program';
import { interruption, progressBar } from 'customer-data-api-deployment/program';
import { inFlightElsewhere, tooManyDeadLetters } from '../../../queue-sentences.ts';
import type { PromoEventFilter } from '../../list-promo-events.ts';
import { SEARCHED_DEAD_LETTERS, searchQueue } from '../../search-queue.ts';
import { matchOf } from '../../similar-promo-events.ts';
import type { Messages } from '../../sqs-queue.ts';
import type { PrintedPromoEvent } from './format.ts';

/** What a search of the dead letters found. */
interface FoundDeadLetters {
  readonly exact: readonly PrintedPromoEvent[];
  /** Those whose user or code is only similar to that of the filter. */
  readonly similar: readonly PrintedPromoEvent[];
  /** Why the search may have missed some, and what to do; undefined if it has not. */
  readonly problem: string | undefined;
}

/** Searches dead letters for promo events. They are received for that, and released at the end. */
export async function searchDeadLetters(
  messages: Messages,
  filter: PromoEventFilter,
  terminal: Terminal,
): Promise<FoundDeadLetters> {
  using interrupted = interruption();
  const { signal } = interrupted;
  using bar = progressBar(terminal, 'Dead letters searched');
  // By message id: after the visibility timeout, a message is received again.
  const found = new Map<string, PromoEvent>();
  const before = await messages.count();
  const { isComplete } = await searchQueue(messages, {
    ...{ ...SEARCHED_DEAD_LETTERS, removes: false, onSearched: bar.show, signal },
    isWanted: (event) => matchOf(event, filter) !== undefined,
    onFound: (batch) => {
      for (const { messageId, event } of batch) if (event) found.set(messageId, event);
    },
  });
  const after = await messages.count();
  const eventsOf = (match: 'exact' | 'similar') =>
    [...found.values()].filter((event) => matchOf(event, filter) === match).map(printed);
  const isAnyInFlight = before.inFlight + after.inFlight > 0;
  const missed = isAnyInFlight ? inFlightElsewhere('ten') : undefined;
  return {
    ...{ exact: eventsOf('exact'), similar: eventsOf('similar') },
    problem: signal.aborted ? signal.reason.message : isComplete ? missed : tooManyDeadLetters(),
  };
}

/** A dead letter like an event of the table: without the token of its code. */
function printed(event: PromoEvent): PrintedPromoEvent {
  const letter = { ...event, kind: 'dead' };
  return Object.fromEntries(LISTED.map((name) => [name, letter[name]]));
}
