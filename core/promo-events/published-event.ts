/** The `source` of the events of promo codes on the bus. */
export const PROMO_EVENTS_SOURCE = 'customer-data-api.promo-events';

/** Version of the schema of `detail`. Increase it with each incompatible change. */
const DETAIL_VERSION = '2';

/** The attributes of an item that its event has. */
const PUBLISHED = [
  'clientId',
  'eventId',
  'promoCode',
  'promoCodeToken',
  'userId',
  'eventType',
  'source',
  'deviceId',
  'requestDate',
  'receivedAt',
  'expiresAt',
] as const;

/** Returns the event of an item of the PromoEvents table, in plain JSON. */
export function publishedEvent(item: Readonly<Record<string, unknown>>): {
  readonly detailType: string;
  readonly detail: object;
} {
  const attributes = PUBLISHED.filter((name) => item[name] !== undefined);
  return {
    detailType: typeof item.kind === 'string' ? item.kind : '',
    detail: {
      version: DETAIL_VERSION,
      ...Object.fromEntries(attributes.map((name) => [name, item[name]])),
    },
  };
}
