import type { EnvironmentVariable } from '../../core/runtime/environment.ts';
import type { Grants } from '../http/operation.ts';

/** The environment variables that the function reads. */
export const ENVIRONMENT = [
  'DYNAMODB_ENDPOINT',
  'PROMO_EVENTS_TABLE_NAME',
  'PROMO_EVENT_RETENTION_DAYS',
] as const satisfies readonly EnvironmentVariable[];

/**
 * How many batches it stores at the same time. More writers would not help a table that throttles.
 */
export const MAX_CONCURRENCY = 10;

/** The function that stores queued promo events. */
export const storeQueuedPromoEvents = {
  folder: 'store-queued-promo-events',
  environment: ENVIRONMENT,
  grants: { promoEvents: ['dynamodb:UpdateItem', 'dynamodb:PutItem'] } satisfies Grants,
};
