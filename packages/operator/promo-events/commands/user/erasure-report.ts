import { counted } from 'customer-data-api/configuration';
import { suggested } from 'customer-data-api-deployment/program';
import {
  describeRefused,
  inFlightElsewhere,
  tooManyDeadLetters,
} from '../../../queue-sentences.ts';
import { type Found, incompleteness, type User } from '../../erase-user.ts';
import type { QueueName, QueueSearch, Searches } from '../../user-messages.ts';

/** A line for a user of whom nothing is stored. */
export function nothingStored({ userId }: User): string {
  return `Nothing is stored about ${userId}. Searched: table, queue, dead letters.`;
}

/** Lines that show what was found. */
export function describeFound({ clientId, userId }: User, found: Found): string[] {
  return [
    `Promo events of user ${userId} of client ${clientId}:`,
    `  in the queue: ${describeSearch(found.queue)}`,
    `  in the dead-letter queue: ${describeSearch(found.deadLetterQueue)}`,
    `  in the table: ${found.table}`,
  ];
}

/** The question whether to erase what was found. A long queue may have more than was counted. */
export function erasureQuestion({ clientId, userId }: User, found: Found): string {
  const { queue, deadLetterQueue, table } = found;
  const isCounted = queue.isComplete && deadLetterQueue.isComplete;
  const count = queue.found + deadLetterQueue.found + table;
  const events = isCounted ? counted(count, 'promo event') : 'promo events';
  return `Erase the ${events} of user ${userId} of client ${clientId}? This cannot be undone.`;
}

function describeSearch({ found, isComplete, unsearched }: QueueSearch): string {
  if (!isComplete) return 'unknown: too many messages to search now';
  return unsearched === 0 ? String(found) : `${found}, and ${unsearched} not searched`;
}

/**
 * How many messages and items were found, for JSON. The count of a queue that is too long to be
 * searched is null.
 */
export function foundCounts({ queue, deadLetterQueue, table }: Found): object {
  const inQueue = ({ found, isComplete }: QueueSearch) => (isComplete ? found : null);
  return { queue: inQueue(queue), deadLetterQueue: inQueue(deadLetterQueue), table };
}

/** Lines that show what was removed. */
export function describeRemoved(removed: Readonly<Record<QueueName | 'table', number>>): string[] {
  return [
    `Removed from the queue: ${removed.queue}`,
    `Removed from the dead-letter queue: ${removed.deadLetterQueue}`,
    `Removed from the table: ${removed.table}`,
  ];
}

/**
 * What a search could not look into, for JSON. What is not known, because the search failed, is
 * null.
 */
export function othersAsJson(searches: Searches | undefined): object {
  if (!searches) return { unreadable: null, unsearched: null };
  const { queue, deadLetterQueue } = searches;
  return {
    unreadable: queue.unreadable + deadLetterQueue.unreadable,
    unsearched: { queue: queue.unsearched, deadLetterQueue: deadLetterQueue.unsearched },
  };
}

/** Lines about what is neither found nor removed. */
export function describeOthers(
  { queue, deadLetterQueue }: Searches,
  busDeadLetters: number,
): string[] {
  const unreadable = queue.unreadable + deadLetterQueue.unreadable;
  return [
    ...(unreadable > 0
      ? [`Messages without a promo event, left in the queues: ${unreadable}`]
      : []),
    ...(busDeadLetters > 0
      ? [
          `The event bus has ${counted(busDeadLetters, 'dead letter')} of all users. A replay leaves out erased events: ${suggested('queue', 'replay')}`,
        ]
      : []),
  ];
}

/** The reason why messages of the user may be left, and what to do; undefined if none can be. */
export function whyIncomplete(searches: Searches, isDryRun = false): string | undefined {
  const { queue, deadLetterQueue } = searches;
  switch (incompleteness(searches)) {
    case 'refused':
      return `${describeRefused([...queue.refused, ...deadLetterQueue.refused])} Run it again.`;
    case 'queueTooLong':
      return isDryRun
        ? `The queue has too many messages to search now: about ${queue.unsearched}. Without --dry-run, the command waits until they are stored.`
        : 'The queue has too many messages to search and is not getting shorter. Run it again when they are stored.';
    case 'deadLettersTooLong':
      return tooManyDeadLetters();
    case 'inFlight':
      return inFlightElsewhere(deadLetterQueue.unsearched > 0 ? 'ten' : 'two');
    case undefined:
      return undefined;
  }
}
