import type { PromoEvent } from '../../core/promo-events/promo-event.ts';
import type { Application, Outcome } from './application.ts';

/** An item of the PromoEvents table. */
export type Item = PromoEvent & { readonly eventId: string; readonly kind: string };

/** How the table differs from what it should contain after a campaign. */
export interface Discrepancies {
  /** Accepted requests that are not in the table. */
  readonly lost: readonly string[];
  /** Requests that are in the table more than once, and users with a code that was not applied exactly once. */
  readonly duplicated: readonly string[];
  /** Items that no valid request explains. */
  readonly unexpected: readonly string[];
}

/**
 * Compares the items of the table with the applications that were sent.
 *
 * @param outcomes the outcome of each application, in the same order.
 */
export function findDiscrepancies(
  applications: readonly Application[],
  outcomes: readonly Outcome[],
  items: readonly Item[],
): Discrepancies {
  const codeKey = (user: string, promoCode: string) => `${user} ${promoCode}`;
  const requestKey = (user: string, promoCode: string, date: string) =>
    `${user} ${promoCode} ${date}`;
  const valid = applications.filter(({ flaw }) => !flaw);
  const sent = Map.groupBy(valid, ({ user, promoCode, requestDate }) =>
    requestKey(user, promoCode, requestDate),
  );
  const stored = Map.groupBy(items, ({ userId, promoCode, requestDate }) =>
    requestKey(userId, promoCode, requestDate),
  );
  const applied = Map.groupBy(
    items.filter(({ kind, eventId }) => kind === 'applied' && eventId.endsWith('#applied')),
    ({ userId, promoCode }) => codeKey(userId, promoCode),
  );
  const accepted = applications.filter((_, index) =>
    ['accepted', 'queued'].includes(outcomes[index] ?? ''),
  );
  const acceptedRequests = new Set(
    accepted.map(({ user, promoCode, requestDate }) => requestKey(user, promoCode, requestDate)),
  );
  const codes = new Set(items.map(({ userId, promoCode }) => codeKey(userId, promoCode)));
  return {
    lost: [...acceptedRequests].filter((key) => !stored.has(key)),
    duplicated: [
      ...[...stored].filter(([, { length }]) => length > 1).map(([key]) => key),
      ...[...codes].filter((key) => applied.get(key)?.length !== 1),
    ],
    unexpected: items
      .filter(({ userId, promoCode, requestDate, source }) => {
        const candidates = sent.get(requestKey(userId, promoCode, requestDate)) ?? [];
        return !candidates.some((application) => application.source === source);
      })
      .map(({ eventId }) => eventId),
  };
}
