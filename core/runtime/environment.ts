/**
 * The environment variables of the functions. The stack sets each, and each function lists those it
 * reads: a variable that one side lacks does not compile.
 */
export type EnvironmentVariable =
  | 'CHECK_AFTER_SECONDS'
  | 'CONFIGS_TABLE_NAME'
  | 'CONFIG_VERSIONS_TABLE_NAME'
  | 'CONFIG_CACHE_SECONDS'
  | 'COUNT_BY_VERSION'
  | 'CORS_ORIGINS'
  | 'DYNAMODB_ENDPOINT'
  | 'ERASURES_TABLE_NAME'
  | 'EVENTBRIDGE_ENDPOINT'
  | 'LOG_INTERVAL_SECONDS'
  | 'PROMO_EVENT_RETENTION_DAYS'
  | 'PROMO_EVENTS_BUS_DEAD_LETTER_QUEUE_URL'
  | 'PROMO_EVENTS_BUS_NAME'
  | 'PROMO_EVENTS_QUEUE_URL'
  | 'PROMO_EVENTS_TABLE_NAME'
  | 'REQUEST_DATE_WINDOW_SECONDS'
  | 'REQUIRE_USER_POOL_CLIENT_IDS'
  | 'STAGE_NAME'
  | 'STORE_DEVICE_IDS'
  | 'USER_ID_CLAIM'
  | 'USER_POOL_CLIENT_IDS'
  | 'USER_POOL_ID'
  | 'USER_POOL_ISSUER';

/** The variables of every function, for its log and metrics. */
export const PLATFORM_ENVIRONMENT = [
  'COUNT_BY_VERSION',
  'LOG_INTERVAL_SECONDS',
  'STAGE_NAME',
] as const satisfies readonly EnvironmentVariable[];

/** The type of a variable: number if the name ends in a unit, boolean if it starts with a verb. */
type EnvironmentValue<TName extends EnvironmentVariable> = TName extends
  | `${string}_SECONDS`
  | `${string}_DAYS`
  ? number
  : TName extends `${'COUNT' | 'REQUIRE' | 'STORE'}_${string}`
    ? boolean
    : string;

/** The values of the named variables. */
export type Environment<TName extends EnvironmentVariable = EnvironmentVariable> = {
  readonly [Name in TName]: EnvironmentValue<Name>;
};

/**
 * Reads environment variables.
 *
 * @throws Error if one is missing or not of its type. The function then fails to initialise.
 */
export function readEnvironment<const TName extends EnvironmentVariable>(
  names: readonly TName[],
): Environment<TName> {
  return Object.fromEntries(names.map((name) => [name, read(name)])) as Environment<TName>;
}

function read(name: EnvironmentVariable): string | number | boolean {
  const text = process.env[name];
  if (!text) throw new Error(`The environment variable ${name} is not set.`);
  if (/^(?:COUNT|REQUIRE|STORE)_/.test(name)) {
    if (text === 'true' || text === 'false') return text === 'true';
    throw new Error(`The environment variable ${name} is neither true nor false.`);
  }
  if (!/_(?:SECONDS|DAYS)$/.test(name)) return text;
  const value = Number(text);
  if (!Number.isFinite(value)) throw new Error(`The environment variable ${name} is not a number.`);
  return value;
}
