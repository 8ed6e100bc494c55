import { appliedEventId, type PromoEvent } from './promo-event.ts';

const DAY_SECONDS = 24 * 60 * 60;

/** The retention of a table. */
export interface Retention {
  /** Days after which DynamoDB may delete an event; 0 for never. */
  readonly retentionDays: number;
}

/** Returns the item of an application: its key, what each one has, and what only some have. */
export function appliedItem(table: Retention, event: PromoEvent) {
  const { promoCodeToken, codeIdentity, clientId, ...attributes } = event;
  return {
    Key: { clientId, eventId: appliedEventId(event) },
    always: { ...attributes, kind: 'applied' },
    optional: {
      ...(promoCodeToken && { promoCodeToken }),
      ...(codeIdentity !== undefined && { codeIdentity }),
      ...expiry(table, event),
    },
  } as const;
}

/** Returns when DynamoDB may delete an item. Based on the event: a duplicate changes nothing. */
export function expiry(
  { retentionDays }: Retention,
  { receivedAt }: PromoEvent,
): { expiresAt?: number } {
  if (retentionDays === 0) return {};
  return { expiresAt: Math.floor(Date.parse(receivedAt) / 1000) + retentionDays * DAY_SECONDS };
}
