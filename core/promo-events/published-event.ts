import * as v from 'valibot';

/** The source of the events about promo codes. */
export const PROMO_EVENTS_SOURCE = 'customer-data-api.promo-events';

/** Version of the schema of `detail`. Increase it with each incompatible change. */
const VERSION = '2';

const text = (description: string) => v.pipe(v.string(), v.description(description));
const time = (description: string) =>
  v.pipe(v.string(), v.isoTimestamp(), v.description(description));

/** The detail of the event of a stored promo event. Its kind is the detail type. */
export const PromoEventDetail = v.object({
  version: v.pipe(
    v.literal(VERSION),
    v.description(
      'Version of this schema. New properties do not raise it; incompatible changes do.',
    ),
  ),
  clientId: text('The client: the app project whose customer applied the code.'),
  eventId: text(
    'With clientId, the identity of the event. Compare it to act once, never promoCode.',
  ),
  userId: text(
    'The user, as the app sent it, except that a UUID has the letter case of the ID token.',
  ),
  promoCode: text(
    "The promo code, as the app sent it, in Unicode's form NFC, without spaces or invisible characters around it.",
  ),
  codeIdentity: text(
    'The identity of the code: equal for two spellings that count as one code. The code itself, unless the client says that case does not count.',
  ),
  promoCodeToken: v.optional(text('The token of the code, if the request had one.')),
  eventType: text('The eventType of the request.'),
  source: text('The source of the request.'),
  deviceId: v.optional(
    v.pipe(
      v.string(),
      v.nonEmpty(),
      v.description('The Device-Id of the request, if the stage stores it.'),
    ),
  ),
  requestDate: time(
    'When the app sent the request, in UTC, with up to nine digits after the seconds.',
  ),
  receivedAt: time('When the service received the request, in UTC.'),
  expiresAt: v.optional(
    v.pipe(
      v.number(),
      v.safeInteger(),
      v.description('When DynamoDB may delete the item, in seconds since 1970, if at all.'),
    ),
  ),
});

/** True for an item that `promo import` wrote: its code was applied elsewhere, so it is no news. */
export function isImported({ importedAt }: Readonly<Record<string, unknown>>): boolean {
  return importedAt !== undefined;
}

/** The form of a stored promo event on the event bus. */
export interface PublishedEvent {
  /** Empty if somebody wrote the item without a kind: the bus refuses it. */
  readonly detailType: string;
  readonly detail: object;
}

/**
 * Returns the event of an item of the PromoEvents table. It has the item's properties that the
 * schema describes. One that somebody wrote by hand in another form is left out. Never throws.
 *
 * The event of such an item can lack required properties. It is published nevertheless: it does not
 * match the schema, and consumers who validate refuse it.
 */
export function publishedEvent(item: Readonly<Record<string, unknown>>): PublishedEvent {
  const { kind, promoCode } = item;
  const properties: Readonly<Record<string, unknown>> = {
    codeIdentity: promoCode,
    ...item,
    version: VERSION,
  };
  const described = Object.entries(PromoEventDetail.entries)
    .map(([name, schema]) => ({ name, schema, value: properties[name] }))
    .filter(({ schema, value }) => value !== undefined && v.is(schema, value))
    .map(({ name, value }) => [name, value]);
  return {
    detailType: typeof kind === 'string' ? kind : '',
    detail: Object.fromEntries(described),
  };
}
