import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ForbiddenError, UnauthorizedError } from '../../../../functions/http/errors.ts';
import { countSignedCalls } from '../../../../functions/middlewares/count-calls.ts';

const { counted } = vi.hoisted(() => ({ counted: new Map<string, number>() }));
vi.mock('../../../../core/runtime/metrics.ts', () => ({
  count: (name: string) => counted.set(name, (counted.get(name) ?? 0) + 1),
}));

const HOUR_MS = 3_600_000;
beforeEach(() => vi.useFakeTimers({ now: 0 }));
afterEach(() => {
  vi.useRealTimers();
  counted.clear();
});

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Returns a function that refuses a call of a customer, each time with another token. */
function refusing() {
  const { onError } = countSignedCalls();
  let iat = 0;
  return (sub: string, error: Error = new UnauthorizedError()) => {
    const idToken = [encoded({ alg: 'RS256' }), encoded({ sub, iat: iat++ }), 'a'].join('.');
    onError?.({
      event: { isSigned: true, requestHeaders: { authorization: idToken } },
      error,
    } as never);
  };
}

test('two hundred wrong calls of one customer count once, as does each of others', () => {
  const refuse = refusing();
  for (let call = 0; call < 200; call++) {
    refuse('kim', call % 2 ? new ForbiddenError() : new UnauthorizedError());
    vi.advanceTimersByTime(1500);
  }
  for (let customer = 0; customer < 19; customer++) refuse(`customer-${customer}`);
  expect(Object.fromEntries(counted)).toEqual({
    CustomerRefused: 20,
    SignedCall: 20,
    SignedCallRefused: 20,
  });
});

test('a customer who goes on counts once more each hour, and after twelve hours as a customer', () => {
  const refuse = refusing();
  for (let minute = 0; minute < 12 * 60; minute += 10) {
    refuse('kim');
    vi.advanceTimersByTime(HOUR_MS / 6);
  }
  expect([counted.get('SignedCallRefused'), counted.get('CustomerRefused')]).toEqual([12, 1]);
  refuse('kim');
  expect(counted.get('CustomerRefused')).toBe(2);
});
