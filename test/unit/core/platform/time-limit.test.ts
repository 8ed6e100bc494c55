import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { TimeLimit } from '../../../../core/platform/time-limit.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('the signal aborts with a TimeoutError when the time is over, and not before', () => {
  using limit = new TimeLimit(1500);
  vi.advanceTimersByTime(1499);
  expect([limit.isOver, limit.signal.aborted]).toEqual([false, false]);
  vi.advanceTimersByTime(1);
  expect([limit.isOver, limit.signal.aborted]).toEqual([true, true]);
  expect(limit.signal.reason).toMatchObject({ name: 'TimeoutError' });
});

test('without any time, the signal is aborted from the start', () => {
  using limit = new TimeLimit(0);
  expect(limit.isOver).toBe(true);
  expect(limit.signal.reason).toMatchObject({ name: 'TimeoutError' });
});

test('a limit that is disposed of leaves no timer and never aborts', () => {
  const outer = new AbortController();
  const limit = new TimeLimit(1500, outer.signal);
  limit[Symbol.dispose]();
  expect(vi.getTimerCount()).toBe(0);
  outer.abort();
  expect([limit.isOver, limit.signal.aborted]).toEqual([false, false]);
});

describe('an outer signal', () => {
  test('aborts the limit with its reason, and the time is not over', () => {
    const outer = new AbortController();
    using limit = new TimeLimit(1500, outer.signal);
    const reason = new Error('outer');
    outer.abort(reason);
    vi.advanceTimersByTime(1500);
    expect(limit.isOver).toBe(false);
    expect(limit.signal.reason).toBe(reason);
  });

  test('that is aborted already aborts the limit at once', () => {
    const reason = new Error('outer');
    using limit = new TimeLimit(1500, AbortSignal.abort(reason));
    expect(limit.signal.reason).toBe(reason);
    expect(limit.isOver).toBe(false);
  });

  test('that aborts after the time is over changes nothing', () => {
    const outer = new AbortController();
    using limit = new TimeLimit(1500, outer.signal);
    vi.advanceTimersByTime(1500);
    outer.abort();
    expect(limit.isOver).toBe(true);
    expect(limit.signal.reason).toMatchObject({ name: 'TimeoutError' });
  });
});
