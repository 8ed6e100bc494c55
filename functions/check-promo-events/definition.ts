import type { EnvironmentVariable } from '../../core/runtime/environment.ts';
import type { Grants } from '../http/operation.ts';

export const ENVIRONMENT = [
  'CHECK_AFTER_SECONDS',
  'DYNAMODB_ENDPOINT',
  'ERASURES_TABLE_NAME',
  'PROMO_EVENTS_TABLE_NAME',
] as const satisfies readonly EnvironmentVariable[];

/**
 * The principal of a removal by expiry:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/time-to-live-ttl-streams.html
 */
const EXPIRY = 'dynamodb.amazonaws.com';

const removedBy = (principalId: object) => ({
  eventName: ['REMOVE'],
  userIdentity: { principalId: [principalId] },
});

/** Event patterns of the stream records that need a check. The others invoke nothing. */
export const CHECKED_RECORDS: readonly Readonly<Record<string, unknown>>[] = [
  { eventName: ['MODIFY'] },
  // Two patterns, because "anything-but" does not match what is missing.
  removedBy({ exists: false }),
  removedBy({ 'anything-but': [EXPIRY] }),
  { eventName: ['INSERT'], dynamodb: { NewImage: { kind: { S: ['repeated'] } } } },
];

/** The function that checks the guarantees about promo codes on the stream of the table. */
export const checkPromoEvents = {
  folder: 'check-promo-events',
  environment: ENVIRONMENT,
  grants: {
    erasures: ['dynamodb:Query'],
    promoEvents: ['dynamodb:GetItem'],
  } satisfies Grants,
};
