import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TokenBucket } from '../../../../core/runtime/token-bucket.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Each step: how long it waits, in milliseconds, and how many of nine attempts then succeed. */
test.each([
  ['a burst, and after it one per interval', 3, 1000, '0:3 999:0 1:1 1000:1'],
  ['one each interval, whatever was refused in between', 1, 100, '0:1 60:0 39:0 1:1'],
  ['one burst after a pause, however long', 3, 1000, '0:3 3600000:3'],
  ['nothing more if the clock is set back', 2, 1000, '0:2 -60000:0 1000:1'],
  ['everything without an interval', 1, 0, '0:9 0:9'],
])('a bucket allows %s', (_, burst, intervalMs, steps) => {
  const bucket = new TokenBucket(burst, intervalMs);
  for (const step of steps.split(' ')) {
    const [waitMs, taken] = step.split(':').map(Number);
    vi.setSystemTime(Date.now() + (waitMs ?? 0));
    const attempts = Array.from({ length: 9 }, () => bucket.take());
    expect(attempts.filter(Boolean)).toHaveLength(taken ?? 0);
  }
});
