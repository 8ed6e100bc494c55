import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { progressBar, whileWaiting } from '../../../../cli/terminal/progress.ts';
import type { Terminal } from '../../../../cli/terminal/terminal.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const CLEAR = '\r\x1b[K';

/** A standard error that keeps what is written. */
function terminal(isTTY: boolean, columns?: number) {
  const written: string[] = [];
  const stderr = { isTTY, columns, write: (text: string) => written.push(text) };
  return { written, streams: { stderr } as unknown as Pick<Terminal, 'stderr'> };
}

/** Shows as many items as milliseconds pass, once in each period. */
function work(streams: Pick<Terminal, 'stderr'>, periodMs: number, endMs: number): void {
  using bar = progressBar(streams, 'Moved');
  for (let done = 0; done < endMs; done += periodMs) {
    bar.show(done);
    vi.advanceTimersByTime(periodMs);
  }
}

test('a bar is drawn in one line of a terminal, at most ten times a second, and removed', () => {
  for (const periodMs of [100, 1]) {
    const { written, streams } = terminal(true);
    work(streams, periodMs, 300);
    expect(written).toEqual([...[0, 100, 200].map((done) => `${CLEAR}Moved: ${done}`), CLEAR]);
  }
});

test('nothing is written into a pipe or a file, or before there is progress', () => {
  for (const [isTTY, endMs] of [
    [false, 300],
    [true, 0],
  ] as const) {
    const { written, streams } = terminal(isTTY);
    work(streams, 100, endMs);
    expect(written).toEqual([]);
  }
});

// A terminal that does not say how wide it is has 80 columns.
test.each([20, 200, undefined])('the last of %s columns stays free', (columns) => {
  const { written, streams } = terminal(true, columns);
  using bar = progressBar(streams, 'x'.repeat(300));
  bar.show(1);
  expect(written[0]?.slice(CLEAR.length)).toHaveLength((columns ?? 80) - 1);
});

test.each([
  ['found', () => Promise.resolve('found')],
  ['No.', () => Promise.reject(new Error('No.'))],
])('work shows its seconds until it ends with %s', async (expected, outcome) => {
  const { written, streams } = terminal(true);
  const waiting = whileWaiting(streams, 'Waiting', async () => {
    await new Promise((resolve) => setTimeout(resolve, 2500));
    return outcome();
  });
  const settled = waiting.catch((error: Error) => error.message);
  await vi.advanceTimersByTimeAsync(2500);
  expect(await settled).toBe(expected);
  expect(written).toEqual([...[0, 1, 2].map((seconds) => `${CLEAR}Waiting: ${seconds} s`), CLEAR]);
  expect(vi.getTimerCount()).toBe(0);
});
