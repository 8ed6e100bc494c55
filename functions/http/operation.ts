import type * as v from 'valibot';
import type { EnvironmentVariable } from '../../core/runtime/environment.ts';

/** A part of the stack that a function may be allowed to use. */
export type Resource = 'configs' | 'configVersions' | 'promoEvents' | 'promoEventsQueue';

/** The single AWS actions that a function may call, by resource. */
export type Grants = Readonly<Partial<Record<Resource, readonly string[]>>>;

/** The schema of a request body: a flat object. */
export type RequestSchema = v.ObjectSchema<v.ObjectEntries, undefined>;

/** How many requests a path takes before API Gateway answers 429: a token bucket. */
export interface Throttle {
  readonly requestsPerSecond: number;
  /** The size of the bucket: how many requests may arrive at the same time. */
  readonly burst: number;
}

/** A path under which an operation is served. */
export interface OperationPath {
  readonly path: string;
  /** The id that generated clients name their function after. */
  readonly operationId: string;
  readonly summary: string;
}

/**
 * One operation of the API: everything that the stack, the OpenAPI document, the local server, the
 * smoke checks and the generated tests need to know about it. Each operation is a `POST`. The
 * bundle of its function leaves the descriptor out, as long as its literal contains no call and no
 * spread, which a bundler has to evaluate.
 */
export interface Operation {
  /** The folder under `functions/`; also the service name in logs and metrics. */
  readonly folder: string;
  /** The first path is the one to use, and its `operationId` names the operation. */
  readonly paths: readonly [OperationPath, ...OperationPath[]];
  /** What the operation does, in Markdown, for app developers. */
  readonly description: string;
  readonly request: RequestSchema;
  /** `data` of a success. */
  readonly data: v.GenericSchema;
  /** The schemas that the document lists under names of their own, `data` among them. */
  readonly schemas: Readonly<Record<string, v.GenericSchema>>;
  /** The responses of the error table that not every operation can give. */
  readonly errors: readonly 'Forbidden'[];
  /** A good request of the client `demo`, and `data` of its response. */
  readonly example: { readonly request: object; readonly data: () => object };
  /** The environment variables that the function reads. */
  readonly environment: readonly EnvironmentVariable[];
  readonly grants: Grants;
  /**
   * The limits of each of its paths, unless a setting changes them; without it, those of the stage.
   */
  readonly throttle?: Throttle;
}

/** The environment variables that every operation reads. */
export const API_ENVIRONMENT = [
  'CONFIGS_TABLE_NAME',
  'CONFIG_CACHE_SECONDS',
  'CORS_ORIGINS',
  'DYNAMODB_ENDPOINT',
  'REQUEST_DATE_WINDOW_SECONDS',
  'REQUIRE_USER_POOL_CLIENT_IDS',
  'USER_POOL_CLIENT_IDS',
  'USER_POOL_ID',
] as const satisfies readonly EnvironmentVariable[];

/** The name of an operation, as the stack and the document use it: `GetConfig` for `getConfig`. */
export function functionName({ paths: [{ operationId }] }: Operation): string {
  return `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}`;
}
