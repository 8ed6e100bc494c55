import { userOf } from 'customer-data-api/promo-events';
import {
  type ListedPromoEvent,
  type PromoEventFilter,
  type PromoEventsTableToList,
  readPromoEvents,
} from './search.ts';
import { findSimilar, type SimilarPromoEvents } from './similar-promo-events.ts';

/** The events that a search returns: a client can have millions. */
const MAX_EVENTS = 1000;
/** The events that a search without a user reads: a second of the capacity of a partition. */
const MAX_READ = 25_000;

/** What a search found in what it read. */
interface PromoEventSearch extends SimilarPromoEvents {
  /** The newest events that were found, newest first. */
  readonly events: readonly ListedPromoEvent[];
  readonly found: number;
  /** The number of events that it found, by the beginning of an hour of this machine's clock. */
  readonly hours: Readonly<Record<string, number>>;
  readonly read: number;
  /** Where to go on, and the last user that was read; undefined if everything was read. */
  readonly rest?: { readonly after: string; readonly user: string | undefined };
}

/**
 * Searches a client's promo events. With a user, it finds all of theirs; otherwise it reads a
 * bounded number, and says how far it came. If it finds none, it looks for similar ones.
 *
 * @param after continues an earlier search.
 */
export async function searchPromoEvents(
  table: PromoEventsTableToList,
  filter: PromoEventFilter,
  after?: string,
): Promise<PromoEventSearch> {
  const { userId } = filter;
  const events: ListedPromoEvent[] = [];
  const similar: ListedPromoEvent[] = [];
  const hours: Record<string, number> = {};
  let [found, read] = [0, 0];
  let last: string | undefined;
  for await (const page of readPromoEvents(table, filter, after)) {
    for (const { receivedAt = '' } of page.events) {
      const hour = hourOf(receivedAt);
      if (hour !== undefined) hours[hour] = (hours[hour] ?? 0) + 1;
    }
    found += page.events.length;
    read += page.read;
    keepNewest(events, page.events);
    keepNewest(similar, page.similar);
    last = page.after;
    if (userId === undefined && read >= MAX_READ) break;
  }
  const rest =
    userId === undefined && last !== undefined
      ? { rest: { after: last, user: userOf(last) } }
      : undefined;
  const near =
    found === 0 && userId !== undefined
      ? await findSimilar(table, { ...filter, userId })
      : { similar: found === 0 ? similar : [], others: 0 };
  return { events, found, hours, read, ...near, ...rest };
}

/** Adds events to a list, which keeps the newest of them. */
function keepNewest(list: ListedPromoEvent[], added: readonly ListedPromoEvent[]): void {
  const timeOf = ({ receivedAt = '' }: ListedPromoEvent) => receivedAt;
  list.push(...added);
  list.sort((one, other) => (timeOf(one) < timeOf(other) ? 1 : -1));
  list.splice(MAX_EVENTS);
}

/** Returns the beginning of the hour of a time; undefined if it is none. */
function hourOf(time: string): string | undefined {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return undefined;
  date.setMinutes(0, 0, 0);
  return date.toISOString();
}
