import type { EnvironmentVariable } from '../../core/runtime/environment.ts';
import type { Grants } from '../http/operation.ts';

export const ENVIRONMENT = [
  'CONFIG_VERSIONS_TABLE_NAME',
  'DYNAMODB_ENDPOINT',
  'REQUIRE_USER_POOL_CLIENT_IDS',
] as const satisfies readonly EnvironmentVariable[];

/** The function that records each change of a client as a version. */
export const recordConfigurationVersions = {
  folder: 'record-configuration-versions',
  environment: ENVIRONMENT,
  grants: {
    configVersions: ['dynamodb:Query', 'dynamodb:PutItem', 'dynamodb:DeleteItem'],
  } satisfies Grants,
};
