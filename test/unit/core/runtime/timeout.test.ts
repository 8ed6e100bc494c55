import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Timeout } from '../../../../core/runtime/timeout.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const nameOf = ({ aborted, reason }: AbortSignal) => aborted && reason.name;

test('a timeout that is disposed of leaves no timer and never aborts', () => {
  const outer = new AbortController();
  const timeout = new Timeout(1500, outer.signal);
  timeout[Symbol.dispose]();
  expect(vi.getTimerCount()).toBe(0);
  outer.abort();
  expect([timeout.isOver, timeout.signal.aborted]).toEqual([false, false]);
});

test('of the time and an outer signal, the first one decides; without any time, it is over from the start', () => {
  const reason = new Error('outer');
  const [before, after] = [new AbortController(), new AbortController()];
  using early = new Timeout(1500, before.signal);
  using late = new Timeout(1500, after.signal);
  using never = new Timeout(1500, AbortSignal.abort(reason));
  using none = new Timeout(0);
  expect([none.isOver, nameOf(none.signal)]).toEqual([true, 'TimeoutError']);
  before.abort(reason);
  vi.advanceTimersByTime(1500);
  after.abort(reason);
  expect([early.isOver, early.signal.reason]).toEqual([false, reason]);
  expect([late.isOver, nameOf(late.signal)]).toEqual([true, 'TimeoutError']);
  expect([never.isOver, never.signal.reason]).toEqual([false, reason]);
});
