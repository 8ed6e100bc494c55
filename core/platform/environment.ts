/**
 * The environment variables that the stack gives to the functions. The stack types its side with these
 * names, so that a variable that one side renames does not compile on the other.
 */
export type EnvironmentVariable =
  | 'CONFIGS_TABLE_NAME'
  | 'CONFIG_CACHE_SECONDS'
  | 'DYNAMODB_ENDPOINT'
  | 'PROMO_EVENT_RETENTION_DAYS'
  | 'PROMO_EVENTS_QUEUE_URL'
  | 'PROMO_EVENTS_TABLE_NAME'
  | 'REQUEST_DATE_WINDOW_SECONDS'
  | 'USER_ID_CLAIM'
  | 'USER_POOL_CLIENT_IDS'
  | 'USER_POOL_ID';

/**
 * Reads one environment variable of the function.
 *
 * @throws Error when it is not set: the function then fails while it loads, before it takes a request.
 */
export function environment(name: EnvironmentVariable): string {
  const value = process.env[name];
  if (!value) throw new Error(`The environment variable ${name} is not set.`);
  return value;
}

/**
 * Reads one environment variable of the function as a number.
 *
 * @throws Error when it is not set or not a number.
 */
export function numericEnvironment(name: EnvironmentVariable): number {
  const value = Number(environment(name));
  if (!Number.isFinite(value)) throw new Error(`The environment variable ${name} is not a number.`);
  return value;
}
