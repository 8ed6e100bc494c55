import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Timeout } from '../../../../core/platform/timeout.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('the signal aborts with a TimeoutError when the time is over, and not before', () => {
  using timeout = new Timeout(1500);
  vi.advanceTimersByTime(1499);
  expect([timeout.isOver, timeout.signal.aborted]).toEqual([false, false]);
  vi.advanceTimersByTime(1);
  expect([timeout.isOver, timeout.signal.aborted]).toEqual([true, true]);
  expect(timeout.signal.reason).toMatchObject({ name: 'TimeoutError' });
});

test('without any time, the signal is aborted from the start', () => {
  using timeout = new Timeout(0);
  expect(timeout.isOver).toBe(true);
  expect(timeout.signal.reason).toMatchObject({ name: 'TimeoutError' });
});

test('a limit that is disposed of leaves no timer and never aborts', () => {
  const outer = new AbortController();
  const timeout = new Timeout(1500, outer.signal);
  timeout[Symbol.dispose]();
  expect(vi.getTimerCount()).toBe(0);
  outer.abort();
  expect([timeout.isOver, timeout.signal.aborted]).toEqual([false, false]);
});

describe('an outer signal', () => {
  test('aborts the limit with its reason, and the time is not over', () => {
    const outer = new AbortController();
    using timeout = new Timeout(1500, outer.signal);
    const reason = new Error('outer');
    outer.abort(reason);
    vi.advanceTimersByTime(1500);
    expect(timeout.isOver).toBe(false);
    expect(timeout.signal.reason).toBe(reason);
  });

  test('that is aborted already aborts the limit at once', () => {
    const reason = new Error('outer');
    using timeout = new Timeout(1500, AbortSignal.abort(reason));
    expect(timeout.signal.reason).toBe(reason);
    expect(timeout.isOver).toBe(false);
  });

  test('that aborts after the time is over changes nothing', () => {
    const outer = new AbortController();
    using timeout = new Timeout(1500, outer.signal);
    vi.advanceTimersByTime(1500);
    outer.abort();
    expect(timeout.isOver).toBe(true);
    expect(timeout.signal.reason).toMatchObject({ name: 'TimeoutError' });
  });
});
