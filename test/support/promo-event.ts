import type { PromoEvent } from '../../core/promo-events/promo-event.ts';

/** A promo event of a user, as the service stores it. */
export function eventOf(userId: string, others: Partial<PromoEvent> = {}): PromoEvent {
  return {
    clientId: 'demo',
    userId,
    promoCode: 'CODE',
    eventType: 'promo_applied',
    source: 'profile',
    deviceId: 'device',
    requestDate: '2026-11-20T09:30:00.000Z',
    receivedAt: '2026-11-20T09:30:00.412Z',
    ...others,
  };
}

/** The item of an application by a user, as the service stores it. */
export const appliedItem = (userId: string, others: object = {}) => ({
  ...eventOf(userId),
  eventId: `${encodeURIComponent(userId)}#CODE#applied`,
  kind: 'applied',
  ...others,
});
