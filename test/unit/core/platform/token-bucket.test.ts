import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TokenBucket } from '../../../../core/platform/token-bucket.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const taken = (bucket: TokenBucket, attempts: number) =>
  Array.from({ length: attempts }, () => bucket.take()).filter(Boolean).length;

test('a burst is allowed, and after it one per interval', () => {
  const bucket = new TokenBucket(3, 1000);
  expect(taken(bucket, 5)).toBe(3);
  vi.advanceTimersByTime(999);
  expect(taken(bucket, 5)).toBe(0);
  vi.advanceTimersByTime(1);
  expect(taken(bucket, 5)).toBe(1);
});

test('refused attempts do not delay the next one', () => {
  const bucket = new TokenBucket(1, 1000);
  expect(taken(bucket, 1)).toBe(1);
  for (let attempts = 0; attempts < 10; attempts++) {
    vi.advanceTimersByTime(99);
    expect(taken(bucket, 1)).toBe(0);
  }
  vi.advanceTimersByTime(10);
  expect(taken(bucket, 1)).toBe(1);
});

test('a pause, however long, allows one burst', () => {
  const bucket = new TokenBucket(3, 1000);
  taken(bucket, 3);
  vi.advanceTimersByTime(3_600_000);
  expect(taken(bucket, 9)).toBe(3);
});

test('a clock that is set back allows nothing more', () => {
  const bucket = new TokenBucket(2, 1000);
  taken(bucket, 1);
  vi.setSystemTime(Date.now() - 60_000);
  expect(taken(bucket, 9)).toBe(1);
});

test('without an interval there is no limit', () => {
  expect(taken(new TokenBucket(1, 0), 100)).toBe(100);
});
