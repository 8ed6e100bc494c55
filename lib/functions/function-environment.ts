import { Aws, Duration } from 'aws-cdk-lib';
import {
  type Environment,
  type EnvironmentVariable,
  PLATFORM_ENVIRONMENT,
} from '../../core/runtime/environment.ts';
import { NO_ORIGINS } from '../../functions/middlewares/cors.ts';
import { ISSUERS, type Users } from '../api/user-pool.ts';
import type { Tables } from '../dynamodb/tables.ts';
import type { ServiceBus } from '../promo-events/bus.ts';
import type { PromoEventsQueue } from '../promo-events/queue.ts';
import { isGradual } from '../settings/settings.ts';
import type { Stage } from '../settings/stage-file.ts';

/** The time for which the application of a repetition may be missing before it is an alarm. */
const CHECK_AFTER = Duration.minutes(2);

/** Returns the variables of all functions of a stage. Each function gets those that it names. */
export function functionEnvironment(
  { name, settings }: Stage,
  {
    tables,
    queue,
    bus,
    users,
  }: {
    readonly tables: Tables;
    readonly queue: PromoEventsQueue;
    readonly bus: ServiceBus;
    readonly users: Users;
  },
): Environment {
  return {
    CHECK_AFTER_SECONDS: CHECK_AFTER.toSeconds(),
    CONFIGS_TABLE_NAME: tables.configs.tableName,
    CONFIG_CACHE_SECONDS: settings.configCacheSeconds,
    CONFIG_VERSIONS_TABLE_NAME: tables.configVersions.tableName,
    COUNT_BY_VERSION: isGradual(settings),
    CORS_ORIGINS: [settings.corsOrigins ?? NO_ORIGINS].flat().join(','),
    DYNAMODB_ENDPOINT: `https://dynamodb.${Aws.REGION}.${Aws.URL_SUFFIX}`,
    ERASURES_TABLE_NAME: tables.erasures.tableName,
    EVENTBRIDGE_ENDPOINT: `https://events.${Aws.REGION}.${Aws.URL_SUFFIX}`,
    LOG_INTERVAL_SECONDS: 5,
    PROMO_EVENTS_BUS_DEAD_LETTER_QUEUE_URL: bus.deadLetterQueue.queueUrl,
    PROMO_EVENTS_BUS_NAME: bus.eventBus.eventBusName,
    PROMO_EVENTS_QUEUE_URL: queue.queue.queueUrl,
    PROMO_EVENTS_TABLE_NAME: tables.promoEvents.tableName,
    PROMO_EVENT_RETENTION_DAYS: settings.promoEventRetentionDays ?? 0,
    REQUEST_DATE_WINDOW_SECONDS: settings.requestDateWindowSeconds,
    REQUIRE_USER_POOL_CLIENT_IDS: settings.requireUserPoolClientIds ?? false,
    STAGE_NAME: name,
    STORE_DEVICE_IDS: settings.storeDeviceIds,
    USER_ID_CLAIM: settings.userIdClaim,
    USER_POOL_CLIENT_IDS: users.userPoolClientIds.join(','),
    USER_POOL_ID: users.userPoolId,
    USER_POOL_ISSUER: ISSUERS[settings.userPoolIssuer ?? 'original'],
  };
}

/** Picks the variables that a function names, and those that all have. */
export function variablesOf(
  environment: Environment,
  names: readonly EnvironmentVariable[],
): Record<string, string> {
  return Object.fromEntries(
    [...PLATFORM_ENVIRONMENT, ...names].map((name) => [name, String(environment[name])]),
  );
}
