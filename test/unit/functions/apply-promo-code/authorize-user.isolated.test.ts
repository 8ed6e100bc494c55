import type { Request } from '@middy/core';
import { afterEach, expect, test, vi } from 'vitest';
import { count } from '../../../../core/platform/metrics.ts';
import { authorizeUser } from '../../../../functions/apply-promo-code/authorize-user.ts';

vi.mock('../../../../core/platform/metrics.ts', () => ({ count: vi.fn() }));
afterEach(() => {
  vi.resetAllMocks();
});

const check = (claim: string, claims: object, userId: string) => {
  const event = { claims, request: { clientId: 'demo', userId } };
  return authorizeUser(claim).before?.({ event } as unknown as Request<never>);
};

test.each([
  ['sub', { sub: 'a' }, 'a'],
  ['custom:userId', { sub: 'b', 'custom:userId': 'a' }, 'a'],
])('with the claim %s, %j is the user %s', (claim, claims, userId) => {
  expect(() => check(claim, claims, userId)).not.toThrow();
  expect(count).not.toHaveBeenCalled();
});

test.each([
  ['sub', { sub: 'a' }, 'b'],
  ['sub', { sub: 'a' }, ''],
  ['sub', { sub: 'b', 'custom:userId': 'a' }, 'a'],
  ['custom:userId', { sub: 'a' }, 'a'],
  ['custom:userId', { sub: 'a' }, 'undefined'],
])('with the claim %s, %j is not the user %s, which is counted', (claim, claims, userId) => {
  expect(() => check(claim, claims, userId)).toThrow(
    expect.objectContaining({
      statusCode: 403,
      cause: new Error(`the claim ${claim} is not userId`),
    }),
  );
  expect(count).toHaveBeenCalledOnce();
});

test.each([{ sub: 'a' }, { none: 'a' }, {}])('with none, %j is every user', (claims) => {
  expect(() => check('none', claims, 'b')).not.toThrow();
  expect(count).not.toHaveBeenCalled();
});
