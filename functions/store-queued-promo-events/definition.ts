import type { EnvironmentVariable } from '../../core/runtime/environment.ts';
import type { Grants } from '../http/operation.ts';

export const ENVIRONMENT = [
  'DYNAMODB_ENDPOINT',
  'ERASURES_TABLE_NAME',
  'PROMO_EVENTS_TABLE_NAME',
  'PROMO_EVENT_RETENTION_DAYS',
] as const satisfies readonly EnvironmentVariable[];

/** Batches stored at the same time. More writers would not help a table that throttles. */
export const MAX_CONCURRENCY = 10;

/** The function that stores queued promo events. */
export const storeQueuedPromoEvents = {
  folder: 'store-queued-promo-events',
  environment: ENVIRONMENT,
  grants: {
    erasures: ['dynamodb:Query'],
    promoEvents: ['dynamodb:UpdateItem', 'dynamodb:PutItem'],
  } satisfies Grants,
};
