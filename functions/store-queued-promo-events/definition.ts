import type { EnvironmentVariable } from '../../core/platform/environment.ts';
import type { Grants } from '../api/operation.ts';

/** The environment variables that the function reads. */
export const ENVIRONMENT = [
  'DYNAMODB_ENDPOINT',
  'PROMO_EVENTS_TABLE_NAME',
  'PROMO_EVENT_RETENTION_DAYS',
] as const satisfies readonly EnvironmentVariable[];

/** The function that stores queued promo events. */
export const storeQueuedPromoEvents = {
  folder: 'store-queued-promo-events',
  environment: ENVIRONMENT,
  grants: { promoEvents: ['dynamodb:UpdateItem', 'dynamodb:PutItem'] } satisfies Grants,
};
