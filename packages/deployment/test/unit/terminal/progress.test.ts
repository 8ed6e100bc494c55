import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { progressBar } from '../../../terminal/progress.ts';
import type { Terminal } from '../../../terminal/terminal.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const CLEAR = '\r\x1b[K';

/** A standard error that keeps what is written. */
function terminal(columns?: number) {
  const written: string[] = [];
  const stderr = { isTTY: true, columns, write: (text: string) => written.push(text) };
  return { written, streams: { stderr } as unknown as Pick<Terminal, 'stderr'> };
}

test('a bar is drawn in one line of a terminal, at most ten times a second, and removed', () => {
  for (const periodMs of [100, 1]) {
    const { written, streams } = terminal();
    {
      using bar = progressBar(streams, 'Moved');
      for (let done = 0; done < 300; done += periodMs) {
        bar.show(done);
        vi.advanceTimersByTime(periodMs);
      }
    }
    expect(written).toEqual([...[0, 100, 200].map((done) => `${CLEAR}Moved: ${done}`), CLEAR]);
  }
});

// A terminal that does not say how wide it is has 80 columns.
test.each([20, 200, undefined])('the last of %s columns stays free', (columns) => {
  const { written, streams } = terminal(columns);
  using bar = progressBar(streams, 'x'.repeat(300));
  bar.show(1);
  expect(written[0]?.slice(CLEAR.length)).toHaveLength((columns ?? 80) - 1);
});
