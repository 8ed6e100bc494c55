import { expect, test } from 'vitest';
import { TokenBucket } from '../../../local/token-bucket.ts';

const LIMITS = { requestsPerSecond: 2, burst: 3 };

/** How many of five requests at the same time are served. */
const served = (bucket: TokenBucket, nowMs: number) =>
  Array.from({ length: 5 }, () => bucket.take(nowMs)).filter(Boolean).length;

test('a full bucket serves as many requests at the same time as its burst', () => {
  expect(served(new TokenBucket(LIMITS, 0), 0)).toBe(3);
});

test('an empty bucket fills at its rate', () => {
  const bucket = new TokenBucket(LIMITS, 0);
  served(bucket, 0);
  expect(served(bucket, 499)).toBe(0);
  expect(served(bucket, 500)).toBe(1);
  expect(served(bucket, 1500)).toBe(2);
});

test('a bucket holds no more than its burst, however long nobody calls', () => {
  const bucket = new TokenBucket(LIMITS, 0);
  served(bucket, 0);
  expect(served(bucket, 3_600_000)).toBe(3);
});
