import { comparableId, formsOf } from 'customer-data-api/configuration';
import type { PromoEvent } from 'customer-data-api/promo-events';
import { isSameText } from './same-text.ts';
import {
  type ListedPromoEvent,
  listPromoEvents,
  type PromoEventFilter,
  type PromoEventsTableToList,
} from './search.ts';

/** Events that a person may mean by a filter. */
export interface SimilarPromoEvents {
  /** Events whose user or code differs from the filter in case, spaces or invisibly only. */
  readonly similar: readonly ListedPromoEvent[];
  /** The number of the user's events with other codes. */
  readonly others: number;
}

/**
 * Finds events that almost meet a filter with a user: with a similar code, or of a similar id.
 * DynamoDB finds an id in one spelling only, so likely spellings are tried.
 */
export async function findSimilar(
  table: PromoEventsTableToList,
  { promoCode, ...filter }: PromoEventFilter & { readonly userId: string },
): Promise<SimilarPromoEvents> {
  const hasCode = (event: ListedPromoEvent) => isSameText(event.promoCode, promoCode);
  const own = await all(listPromoEvents(table, filter));
  const sameCode = own.filter(hasCode);
  const similar = sameCode.filter((event) => event.promoCode !== (promoCode ?? event.promoCode));
  for (const userId of otherSpellings(filter.userId)) {
    const events = await all(listPromoEvents(table, { ...filter, userId }));
    similar.push(...events.filter(hasCode));
  }
  return { similar, others: own.length - sameCode.length };
}

/** Tells how an event meets a filter: exactly, or as a similar one. */
export function matchOf(
  event: PromoEvent,
  { clientId, userId, promoCode, deviceId, since, until }: PromoEventFilter,
): 'exact' | 'similar' | undefined {
  if (event.clientId !== clientId) return undefined;
  if (deviceId !== undefined && event.deviceId !== deviceId) return undefined;
  if (since !== undefined && event.receivedAt < since) return undefined;
  if (until !== undefined && event.receivedAt >= until) return undefined;
  if (
    comparableId(userId ?? event.userId) === comparableId(event.userId) &&
    (promoCode ?? event.promoCode) === event.promoCode
  ) {
    return 'exact';
  }
  const isSimilar = isSameText(event.userId, userId) && isSameText(event.promoCode, promoCode);
  return isSimilar ? 'similar' : undefined;
}

/** Returns likely other spellings of an id. */
function otherSpellings(id: string): string[] {
  const trimmed = id.trim();
  const lower = trimmed.toLowerCase();
  const capitalized = `${lower.charAt(0).toUpperCase()}${lower.slice(1)}`;
  const cases = [trimmed, lower, trimmed.toUpperCase(), capitalized];
  const same = formsOf(id);
  return [...new Set([...cases, `${trimmed} `, ` ${trimmed}`])].filter(
    (one) => !same.includes(one),
  );
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}
