import { afterEach, expect, test, vi } from 'vitest';
import { readEnvironment } from '../../../../core/runtime/environment.ts';

afterEach(() => vi.unstubAllEnvs());

/** Reads a variable, at the end of others. */
function read(name: string, value: string | undefined): unknown {
  vi.stubEnv('CONFIGS_TABLE_NAME', 'Configs');
  vi.stubEnv(name, value);
  const names = ['CONFIGS_TABLE_NAME', name as 'USER_POOL_ID'] as const;
  return readEnvironment(names)[name as 'USER_POOL_ID'];
}

test.each([
  ['CONFIG_CACHE_SECONDS', '10', 10],
  ['PROMO_EVENT_RETENTION_DAYS', '0', 0],
  ['USER_POOL_ID', '7', '7'],
  // The unit is not at the end.
  ['TEN_SECONDS_NAME', '10', '10'],
  ['REQUIRE_USER_POOL_CLIENT_IDS', 'true', true],
  ['REQUIRE_USER_POOL_CLIENT_IDS', 'false', false],
])('%s = %j is %j', (name, value, expected) => {
  expect(read(name, value)).toBe(expected);
});

test.each([
  ['USER_POOL_ID', undefined],
  ['USER_POOL_ID', ''],
  ['CONFIG_CACHE_SECONDS', ''],
  ['CONFIG_CACHE_SECONDS', 'ten'],
  ['PROMO_EVENT_RETENTION_DAYS', 'Infinity'],
  ['REQUIRE_USER_POOL_CLIENT_IDS', 'True'],
])('%s = %j is an error that names it', (name, value) => {
  expect(() => read(name, value)).toThrow(name);
});
