/* The order of promo events in a list. A browser runs it, too. */

/** The events that a list has at most: a client can have millions. */
const MAX_EVENTS = 1000;

interface Received {
  readonly receivedAt?: string | undefined;
}

/** Sorts events by their time, the newest first. */
export function newestFirst<T extends Received>(events: readonly T[]): T[] {
  const timeOf = ({ receivedAt = '' }: T) => receivedAt;
  return events.toSorted((one, other) => (timeOf(one) < timeOf(other) ? 1 : -1));
}

/** Returns the newest events, as many as a list has. */
export function newestEvents<T extends Received>(events: readonly T[]): T[] {
  return newestFirst(events).slice(0, MAX_EVENTS);
}
