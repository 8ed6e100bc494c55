import { expect, test } from 'vitest';
import type { Bundles } from '../candidates/candidate.ts';
import { FLOOR, OURS } from '../candidates/candidates.ts';
import { READ_EACH_TIME, READ_ONCE } from '../environment/environment.ts';
import { withMemory } from '../lambda/memory.ts';
import { CALLS, calledFunctions } from '../measurements/calls.ts';

function called(candidate: string) {
  const bundle = { candidate, folder: '', bytes: 0 };
  const bundles: Bundles = {
    'get-config': { ...bundle, operation: 'get-config' },
    'apply-promo-code': { ...bundle, operation: 'apply-promo-code' },
  };
  return calledFunctions(bundles).map(({ bundle: { operation }, call, variables, isCached }) => [
    ...[operation, call, variables.CONFIG_CACHE_SECONDS, isCached],
  ]);
}

test('each kind of call has its function, and a cache that lasts or that is off', () => {
  expect([READ_ONCE, READ_EACH_TIME]).toEqual([
    { CONFIG_CACHE_SECONDS: '3600' },
    { CONFIG_CACHE_SECONDS: '0' },
  ]);
  const ours = [
    ['get-config', 'getConfig, cached', '3600', true],
    ['get-config', 'getConfig, read', '0', false],
    ['apply-promo-code', 'promoCode/apply', '3600', false],
    ['apply-promo-code', 'promoCode/apply, read', '0', false],
  ];
  expect(called(OURS.name)).toEqual(ours);
  expect(ours.map(([, call]) => call)).toEqual(CALLS);
  // It has no cache, and applies a code without reading the client.
  expect(called(FLOOR.name)).toEqual(ours.slice(1, 3));
});

test('a function learns its memory from its environment, and keeps its other variables', () => {
  const variables = { AWS_REGION: 'us-east-1', AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '1769' };
  expect(withMemory(variables, 512)).toEqual({
    ...variables,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '512',
  });
});
