import type { EnvironmentVariable } from '../../core/runtime/environment.ts';
import type { Grants } from '../http/operation.ts';

export const ENVIRONMENT = [
  'CONFIGS_TABLE_NAME',
  'DYNAMODB_ENDPOINT',
] as const satisfies readonly EnvironmentVariable[];

/** The index of the clients whose rollout an alarm stops, by `rolloutAlarm`. */
export const ROLLOUTS_BY_ALARM = 'RolloutsByAlarm';

/** The function that stops the rollouts of an alarm that goes on. */
export const stopRollouts = {
  folder: 'stop-rollouts',
  environment: ENVIRONMENT,
  grants: {
    configs: ['dynamodb:GetItem', 'dynamodb:UpdateItem'],
    rolloutsByAlarm: ['dynamodb:Query'],
  } satisfies Grants,
};
