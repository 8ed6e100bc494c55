import type { PromoEvent } from '../../core/promo-events/promo-event.ts';
import type { Application, Outcome } from './application.ts';

/** An item of the PromoEvents table. */
export type Item = PromoEvent & { readonly eventId: string; readonly kind: string };

/** Differences of the table and the event bus from what they should contain after a campaign. */
export interface Discrepancies {
  /** Accepted requests that are not in the table. */
  readonly lost: readonly string[];
  /**
   * Requests that are in the table more than once, and users with a code that was not applied
   * exactly once.
   */
  readonly duplicated: readonly string[];
  /** Items that no valid request explains, and events that no item explains. */
  readonly unexpected: readonly string[];
  /** Items that are not on the event bus. */
  readonly unpublished: readonly string[];
}

/**
 * Compares the items of the table with the applications that were sent, and with the events on the
 * bus.
 *
 * @param outcomes the outcome of each application, in the same order.
 * @param published the `eventId` of each event.
 */
export function findDiscrepancies(
  applications: readonly Application[],
  outcomes: readonly Outcome[],
  items: readonly Item[],
  published: readonly string[],
): Discrepancies {
  const keyOf = (...parts: readonly string[]) => parts.join(' ');
  const requestOf = ({ user, codeIdentity, requestDate }: Application) =>
    keyOf(user, codeIdentity, requestDate);
  const codeOf = ({ userId, promoCode, codeIdentity = promoCode }: Item) =>
    keyOf(userId, codeIdentity);
  const storedOf = (item: Item) => keyOf(codeOf(item), item.requestDate);
  const stored = Map.groupBy(items, storedOf);
  const applied = Map.groupBy(
    items.filter(({ kind, eventId }) => kind === 'applied' && eventId.endsWith('#applied')),
    codeOf,
  );
  const accepted = applications.filter((_, index) =>
    ['accepted', 'queued'].includes(outcomes[index] ?? ''),
  );
  const valid = new Set(
    applications
      .filter(({ flaw }) => !flaw)
      .flatMap((one) =>
        // A function stores the device of its request, or none.
        [one.deviceId, ''].map((deviceId) => keyOf(requestOf(one), one.source, deviceId)),
      ),
  );
  const eventIds = new Set(items.map(({ eventId }) => eventId));
  const onBus = new Set(published);
  return {
    lost: [...new Set(accepted.map(requestOf))].filter((key) => !stored.has(key)),
    duplicated: [
      ...[...stored].filter(([, { length }]) => length > 1).map(([key]) => key),
      ...[...new Set(items.map(codeOf))].filter((key) => applied.get(key)?.length !== 1),
    ],
    unexpected: [
      ...items
        .filter((item) => !valid.has(keyOf(storedOf(item), item.source, item.deviceId)))
        .map(({ eventId }) => eventId),
      ...onBus.difference(eventIds),
    ],
    unpublished: [...eventIds.difference(onBus)],
  };
}
