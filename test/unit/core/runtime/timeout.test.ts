import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Timeout } from '../../../../core/runtime/timeout.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const nameOf = ({ aborted, reason }: AbortSignal) => aborted && reason.name;

test('the signal aborts with a TimeoutError when the time is over, and not before', () => {
  using timeout = new Timeout(1500);
  vi.advanceTimersByTime(1499);
  expect([timeout.isOver, timeout.signal.aborted]).toEqual([false, false]);
  vi.advanceTimersByTime(1);
  expect([timeout.isOver, nameOf(timeout.signal)]).toEqual([true, 'TimeoutError']);
});

test('without any time, the signal is aborted from the start', () => {
  using timeout = new Timeout(0);
  expect([timeout.isOver, nameOf(timeout.signal)]).toEqual([true, 'TimeoutError']);
});

test('a timeout that is disposed of leaves no timer and never aborts', () => {
  const outer = new AbortController();
  const timeout = new Timeout(1500, outer.signal);
  timeout[Symbol.dispose]();
  expect(vi.getTimerCount()).toBe(0);
  outer.abort();
  expect([timeout.isOver, timeout.signal.aborted]).toEqual([false, false]);
});

test('of the time and an outer signal, the first one decides', () => {
  const reason = new Error('outer');
  const [before, after] = [new AbortController(), new AbortController()];
  using early = new Timeout(1500, before.signal);
  using late = new Timeout(1500, after.signal);
  using never = new Timeout(1500, AbortSignal.abort(reason));
  before.abort(reason);
  vi.advanceTimersByTime(1500);
  after.abort(reason);
  expect([early.isOver, early.signal.reason]).toEqual([false, reason]);
  expect([late.isOver, nameOf(late.signal)]).toEqual([true, 'TimeoutError']);
  expect([never.isOver, never.signal.reason]).toEqual([false, reason]);
});
