import type { EnvironmentVariable } from '../core/runtime/environment.ts';
import type { CountMetric } from '../core/runtime/metrics.ts';
import type { Grants } from './http/operation.ts';

/*
 * The functions that no path calls, but for the heartbeat, which calls the API as an app does
 * (`lib/functions/heartbeat.ts`). Those of the operations are described in `operation.ts`.
 */

/** A function that the stack adds. */
export interface FunctionDefinition {
  /** Its name in AWS, after that of the stack. */
  readonly name: string;
  /** Its folder below this one. */
  readonly folder: string;
  readonly environment: readonly EnvironmentVariable[];
  readonly grants: Grants;
  /** Metrics that it counts. */
  readonly metrics: readonly CountMetric[];
}

/** The function that stores queued promo events. */
export const storeQueuedPromoEvents = {
  name: 'StoreQueuedPromoEvents',
  folder: 'store-queued-promo-events',
  environment: [
    'DYNAMODB_ENDPOINT',
    'ERASURES_TABLE_NAME',
    'PROMO_EVENTS_TABLE_NAME',
    'PROMO_EVENT_RETENTION_DAYS',
    'STORE_DEVICE_IDS',
  ],
  grants: {
    erasures: ['dynamodb:Query'],
    promoEvents: ['dynamodb:UpdateItem', 'dynamodb:PutItem'],
  },
  metrics: ['PromoEventApplied', 'PromoEventRepeated', 'ServerErrors'],
} as const satisfies FunctionDefinition;

/** The function that puts each new promo event on the event bus, and moved dead letters. */
export const publishPromoEvents = {
  name: 'PublishPromoEvents',
  folder: 'publish-promo-events',
  environment: [
    'DYNAMODB_ENDPOINT',
    'ERASURES_TABLE_NAME',
    'EVENTBRIDGE_ENDPOINT',
    'PROMO_EVENTS_BUS_DEAD_LETTER_QUEUE_URL',
    'PROMO_EVENTS_BUS_NAME',
    'PROMO_EVENTS_TABLE_NAME',
    'STORE_DEVICE_IDS',
  ],
  grants: {
    erasures: ['dynamodb:Query'],
    promoEvents: ['dynamodb:GetItem'],
    promoEventsBus: ['events:PutEvents'],
    promoEventsBusDeadLetterQueue: ['sqs:SendMessage'],
  },
  metrics: ['PromoEventPublished', 'ServerErrors'],
} as const satisfies FunctionDefinition;

/** The function that records each change of a client as a version, and publishes news of it. */
export const recordConfigurationVersions = {
  name: 'RecordConfigurationVersions',
  folder: 'record-configuration-versions',
  environment: [
    'CONFIG_VERSIONS_TABLE_NAME',
    'DYNAMODB_ENDPOINT',
    'EVENTBRIDGE_ENDPOINT',
    'PROMO_EVENTS_BUS_DEAD_LETTER_QUEUE_URL',
    'PROMO_EVENTS_BUS_NAME',
    'REQUIRE_USER_POOL_CLIENT_IDS',
    'USER_POOL_CLIENT_IDS',
  ],
  grants: {
    configVersions: ['dynamodb:Query', 'dynamodb:PutItem', 'dynamodb:DeleteItem'],
    promoEventsBus: ['events:PutEvents'],
    promoEventsBusDeadLetterQueue: ['sqs:SendMessage'],
  },
  metrics: ['ChangeSkipped', 'ClientHarmed', 'ManualEdit', 'ServerErrors'],
} as const satisfies FunctionDefinition;

/** The function that checks the guarantees about promo codes on the stream of the table. */
export const checkPromoEvents = {
  name: 'CheckPromoEvents',
  folder: 'check-promo-events',
  environment: [
    'CHECK_AFTER_SECONDS',
    'DYNAMODB_ENDPOINT',
    'ERASURES_TABLE_NAME',
    'PROMO_EVENTS_TABLE_NAME',
  ],
  grants: {
    erasures: ['dynamodb:Query'],
    promoEvents: ['dynamodb:GetItem'],
  },
  metrics: ['GuaranteeBroken'],
} as const satisfies FunctionDefinition;

/** The namespace of the functions' metrics. */
export const NAMESPACE = 'CustomerDataApi';

/** Returns the name of a function's log group. */
export function functionLogGroup(stackName: string, functionName: string): string {
  return `/aws/lambda/${stackName}/${functionName}`;
}
