import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
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

/** Shows a number of items done, at most one in a tenth of a second. */
function work(streams: Pick<Terminal, 'stderr'>, steps: readonly number[]): void {
  using bar = progressBar(streams, 'Moved');
  for (const done of steps) {
    bar.show(done);
    vi.advanceTimersByTime(100);
  }
}

describe('a progress bar', () => {
  test('is drawn again and again in one line of a terminal, and removed at the end', () => {
    const { written, streams } = terminal(true);
    work(streams, [0, 50, 100]);
    expect(written).toEqual([`${CLEAR}Moved: 0`, `${CLEAR}Moved: 50`, `${CLEAR}Moved: 100`, CLEAR]);
  });

  test('is not drawn more often than people can see', () => {
    const { written, streams } = terminal(true);
    {
      using bar = progressBar(streams, 'Moved');
      for (let done = 1; done <= 1000; done++) {
        bar.show(done);
        vi.advanceTimersByTime(1);
      }
    }
    expect(written).toHaveLength(10 + 1);
  });

  test.each([
    [20, 20],
    [200, 200],
    // A terminal that does not say how wide it is.
    [undefined, 80],
  ])(
    'leaves the last column free, so that it stays one line: of %s columns',
    (columns, expected) => {
      const { written, streams } = terminal(true, columns);
      {
        using bar = progressBar(streams, 'x'.repeat(300));
        bar.show(1);
      }
      expect(written[0]?.slice(CLEAR.length)).toHaveLength(expected - 1);
    },
  );

  test('writes nothing into a pipe or a file, and nothing before there is progress', () => {
    const pipe = terminal(false);
    work(pipe.streams, [1, 2, 3]);
    expect(pipe.written).toEqual([]);
    const idle = terminal(true);
    work(idle.streams, []);
    expect(idle.written).toEqual([]);
  });
});

describe('whileWaiting', () => {
  const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms, 'found'));

  test('shows the seconds, removes them at the end, and returns the result', async () => {
    const { written, streams } = terminal(true);
    const waiting = whileWaiting(streams, 'Waiting', () => sleep(2500));
    await vi.advanceTimersByTimeAsync(2500);
    expect(await waiting).toBe('found');
    expect(written).toEqual([
      ...[0, 1, 2].map((seconds) => `${CLEAR}Waiting: ${seconds} s`),
      CLEAR,
    ]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('is over when the work fails', async () => {
    const { written, streams } = terminal(true);
    const failing = whileWaiting(streams, 'Waiting', () => Promise.reject(new Error('No.')));
    await expect(failing).rejects.toThrow('No.');
    expect(written.at(-1)).toBe(CLEAR);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('writes nothing into a pipe or a file', async () => {
    const { written, streams } = terminal(false);
    expect(await whileWaiting(streams, 'Waiting', async () => 'found')).toBe('found');
    expect(written).toEqual([]);
  });
});
