import { afterEach, expect, test, vi } from 'vitest';
import { readEnvironment } from '../../../../core/platform/environment.ts';

afterEach(() => vi.unstubAllEnvs());

test('variables are strings, numbers if their names end in a unit, or booleans', () => {
  vi.stubEnv('CONFIG_CACHE_SECONDS', '10');
  vi.stubEnv('PROMO_EVENT_RETENTION_DAYS', '0');
  vi.stubEnv('USER_POOL_ID', '7');
  expect(
    readEnvironment(['CONFIG_CACHE_SECONDS', 'PROMO_EVENT_RETENTION_DAYS', 'USER_POOL_ID']),
  ).toEqual({ CONFIG_CACHE_SECONDS: 10, PROMO_EVENT_RETENTION_DAYS: 0, USER_POOL_ID: '7' });
  for (const value of [true, false]) {
    vi.stubEnv('REQUIRE_USER_POOL_CLIENT_IDS', String(value));
    expect(readEnvironment(['REQUIRE_USER_POOL_CLIENT_IDS'])).toEqual({
      REQUIRE_USER_POOL_CLIENT_IDS: value,
    });
  }
});

test('a variable whose name has a unit elsewhere is a string', () => {
  const name = 'TEN_SECONDS_NAME' as 'USER_POOL_ID';
  vi.stubEnv(name, '10');
  expect(readEnvironment([name])).toEqual({ [name]: '10' });
});

test.each([
  ['USER_POOL_ID', undefined, 'The environment variable USER_POOL_ID is not set.'],
  ['USER_POOL_ID', '', 'The environment variable USER_POOL_ID is not set.'],
  ['CONFIG_CACHE_SECONDS', '', 'The environment variable CONFIG_CACHE_SECONDS is not set.'],
  ['CONFIG_CACHE_SECONDS', 'ten', 'The environment variable CONFIG_CACHE_SECONDS is not a number.'],
  [
    'REQUIRE_USER_POOL_CLIENT_IDS',
    'True',
    'The environment variable REQUIRE_USER_POOL_CLIENT_IDS is neither true nor false.',
  ],
  [
    'PROMO_EVENT_RETENTION_DAYS',
    'Infinity',
    'The environment variable PROMO_EVENT_RETENTION_DAYS is not a number.',
  ],
] as const)('%s = %j fails, at any position among the variables', (name, value, message) => {
  vi.stubEnv('CONFIGS_TABLE_NAME', 'Configs');
  vi.stubEnv(name, value);
  for (const names of [
    [name, 'CONFIGS_TABLE_NAME'],
    ['CONFIGS_TABLE_NAME', name],
  ] as const) {
    expect(() => readEnvironment(names)).toThrow(message);
  }
});
