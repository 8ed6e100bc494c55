import type * as v from 'valibot';
import type { EnvironmentVariable } from '../../core/runtime/environment.ts';
import type { CountMetric } from '../../core/runtime/metrics.ts';

/** A resource of the stack that a function may use. */
export type Resource =
  | 'configs'
  | 'configVersions'
  | 'erasures'
  | 'promoEvents'
  | 'promoEventsBus'
  | 'promoEventsBusDeadLetterQueue'
  | 'promoEventsQueue';

/** The AWS actions that a function may call, by resource. */
export type Grants = Readonly<Partial<Record<Resource, readonly string[]>>>;

/** The schema of a request body: a flat object. */
export type RequestSchema = v.ObjectSchema<v.ObjectEntries, undefined>;

/** The token bucket of an operation. API Gateway answers 429 when it is empty. */
export interface Throttle {
  readonly requestsPerSecond: number;
  /** The size of the bucket: the number of requests that may arrive at once. */
  readonly burst: number;
}

/**
 * One operation of the API, always a `POST`: the source for the stack, the OpenAPI document, the
 * local server, the smoke checks and the generated tests. A literal without calls and spreads, so
 * that the bundler can leave it out of the function.
 */
export interface Operation {
  /** The folder under `functions/`, and the service name in logs and metrics. */
  readonly folder: string;
  readonly path: string;
  /** Names the operation, its function and its throttle. Generated code uses it too. */
  readonly operationId: string;
  readonly summary: string;
  /** Markdown for app developers. */
  readonly description: string;
  readonly request: RequestSchema;
  /** True if `data` depends on the customer's languages and, during a rollout, on the device. */
  readonly hasVariants?: boolean;
  /** The schema of `data` in a success. */
  readonly data: v.GenericSchema;
  /** The schemas that the document lists by name, `data` among them. */
  readonly schemas: Readonly<Record<string, v.GenericSchema>>;
  /** Responses of the error table that not every operation can give. */
  readonly errors: readonly 'Forbidden'[];
  /** A valid request of the client `demo`, and the `data` of its response. */
  readonly example: { readonly request: object; readonly data: () => object };
  readonly environment: readonly EnvironmentVariable[];
  readonly grants: Grants;
  /** Metrics that it counts besides `API_METRICS`. */
  readonly metrics: readonly CountMetric[];
  /** Limits, unless a setting changes them. Default: those of the stage. */
  readonly throttle?: Throttle;
}

/** Environment variables that every operation reads. */
export const API_ENVIRONMENT = [
  'CONFIGS_TABLE_NAME',
  'CONFIG_CACHE_SECONDS',
  'CORS_ORIGINS',
  'DYNAMODB_ENDPOINT',
  'REQUEST_DATE_WINDOW_SECONDS',
  'REQUIRE_USER_POOL_CLIENT_IDS',
  'USER_POOL_CLIENT_IDS',
  'USER_POOL_ID',
  'USER_POOL_ISSUER',
] as const satisfies readonly EnvironmentVariable[];

/** Metrics that every operation counts. */
export const API_METRICS: readonly CountMetric[] = [
  'ClientErrors',
  'ClientLockedOut',
  'CustomerRefused',
  'LastGoodConfigServed',
  'Responses',
  'ServerErrors',
  'SignedCall',
  'SignedCallRefused',
];

/** Returns the operation's name in the stack and the document: `GetConfig` for `getConfig`. */
export function functionName({ operationId }: Operation): string {
  return `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}`;
}
