import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { StaleIfErrorCache } from '../../../../core/platform/stale-if-error-cache.ts';

const FRESH_MS = 10_000;
const STALE_IF_ERROR_MS = 900_000;
const MAX_BYTES = 30;
/** When a test starts, in milliseconds since the epoch. */
const START = Date.parse('2026-11-20T09:30:00Z');

let stored: Record<string, string | Error>;
let reads: string[];
let served: unknown[];
/** The duration of a read, in milliseconds. */
let readMs: number;
let cache: StaleIfErrorCache<string>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: START });
  stored = { a: 'one' };
  reads = [];
  served = [];
  readMs = 0;
  cache = new StaleIfErrorCache({
    read: async (key: string) => {
      reads.push(key);
      const value = stored[key];
      vi.setSystemTime(Date.now() + readMs);
      if (value instanceof Error) throw value;
      return value === undefined ? undefined : { value, bytes: sizeOf(value) };
    },
    freshMs: FRESH_MS,
    staleIfErrorMs: STALE_IF_ERROR_MS,
    maxBytes: MAX_BYTES,
    maxAbsences: 3,
    onStale: (key, error) => served.push([key, error]),
  });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Sets the clock to a time after the start, in milliseconds. */
const setTime = (ms: number) => vi.setSystemTime(START + ms);

/** The size of a value in bytes: the number in it, or else 10. */
const sizeOf = (value: string) => Number(/\d+/.exec(value)?.[0] ?? 10);

const get = async (key: string) => {
  const { value, stale } = await cache.get(key);
  return [value, stale];
};
const getAll = async (...keys: string[]) => {
  for (const key of keys) await cache.get(key);
};

test('a value is read again after the fresh time, and no earlier', async () => {
  expect(await get('a')).toEqual(['one', false]);
  stored.a = 'two';
  setTime(FRESH_MS - 1);
  expect(await get('a')).toEqual(['one', false]);
  setTime(FRESH_MS);
  expect(await get('a')).toEqual(['two', false]);
  expect(reads).toEqual(['a', 'a']);
});

test('the fresh time starts before the read, so that an edit during the read does not wait longer', async () => {
  readMs = FRESH_MS / 2;
  expect(await get('a')).toEqual(['one', false]);
  stored.a = 'two';
  setTime(FRESH_MS);
  expect(await get('a')).toEqual(['two', false]);
});

test('concurrent requests share one read', async () => {
  await Promise.all([cache.get('a'), cache.get('a'), cache.get('b'), cache.get('a')]);
  expect(reads).toEqual(['a', 'b']);
});

test('concurrent requests share the error of one read, and the next request reads again', async () => {
  stored.a = new Error('down');
  const both = await Promise.allSettled([cache.get('a'), cache.get('a')]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(reads).toEqual(['a']);
  stored.a = 'up';
  expect(await get('a')).toEqual(['up', false]);
});

test('the absence of a value is cached for the fresh time', async () => {
  expect(await get('new')).toEqual([undefined, false]);
  stored.new = 'here';
  setTime(FRESH_MS - 1);
  expect(await get('new')).toEqual([undefined, false]);
  setTime(FRESH_MS);
  expect(await get('new')).toEqual(['here', false]);
  setTime(FRESH_MS + 1);
  expect(await get('new')).toEqual(['here', false]);
});

test('while reads fail, the last value is served as stale until the stale time is over', async () => {
  await cache.get('a');
  stored.a = new Error('down');
  setTime(FRESH_MS);
  expect(await get('a')).toEqual(['one', true]);
  setTime(STALE_IF_ERROR_MS);
  expect(await get('a')).toEqual(['one', true]);
  setTime(STALE_IF_ERROR_MS + 1);
  await expect(cache.get('a')).rejects.toThrow('down');
  stored.a = 'back';
  expect(await get('a')).toEqual(['back', false]);
});

test('a value that gets too old during a failing read is not served', async () => {
  await cache.get('a');
  stored.a = new Error('down');
  setTime(STALE_IF_ERROR_MS);
  readMs = 1;
  await expect(cache.get('a')).rejects.toThrow('down');
});

test('a value beyond the stale time is not served without a read', async () => {
  await cache.get('a');
  stored.a = new Error('down');
  setTime(STALE_IF_ERROR_MS - 1);
  expect(await get('a')).toEqual(['one', true]);
  setTime(STALE_IF_ERROR_MS + 1);
  await expect(cache.get('a')).rejects.toThrow('down');
});

test('while reads fail, one request in each fresh time waits for a read', async () => {
  await cache.get('a');
  stored.a = new Error('down');
  readMs = 5;
  setTime(FRESH_MS);
  await getAll('a', 'a', 'a');
  expect(reads).toHaveLength(2);
  setTime(2 * FRESH_MS + readMs - 1);
  await cache.get('a');
  expect(reads).toHaveLength(2);
  setTime(2 * FRESH_MS + readMs);
  await cache.get('a');
  expect(reads).toHaveLength(3);
});

test('after an outage a value is fresh again', async () => {
  await cache.get('a');
  stored.a = new Error('down');
  setTime(FRESH_MS);
  await cache.get('a');
  stored.a = 'two';
  setTime(2 * FRESH_MS);
  expect(await get('a')).toEqual(['two', false]);
});

test('the error of a read is reported only when a stale value is served in its place', async () => {
  const error = new Error('down');
  stored.b = error;
  await expect(cache.get('b')).rejects.toBe(error);
  await cache.get('a');
  expect(served).toEqual([]);
  stored.a = error;
  setTime(FRESH_MS);
  await cache.get('a');
  expect(served).toEqual([['a', error]]);
});

test('a removed value is never served again', async () => {
  await cache.get('a');
  delete stored.a;
  setTime(FRESH_MS);
  expect(await get('a')).toEqual([undefined, false]);
  stored.a = new Error('down');
  setTime(2 * FRESH_MS);
  await expect(cache.get('a')).rejects.toThrow('down');
});

test('an absence is never served as stale', async () => {
  await cache.get('new');
  stored.new = new Error('down');
  setTime(FRESH_MS);
  await expect(cache.get('new')).rejects.toThrow('down');
  expect(served).toEqual([]);
});

test('absences evict no values', async () => {
  await cache.get('a');
  for (let key = 0; key < 10; key++) await cache.get(`absent-${key}`);
  await cache.get('a');
  expect(reads.filter((key) => key === 'a')).toHaveLength(1);
});

test('beyond the limit of absences, the least recently read one is evicted', async () => {
  await getAll('w', 'x', 'y', 'z');
  reads = [];
  await getAll('z', 'y', 'x');
  expect(reads).toEqual([]);
  await getAll('w');
  expect(reads).toEqual(['w']);
});

test('an absence that is read again becomes the newest', async () => {
  await getAll('w');
  setTime(1);
  await getAll('x', 'y');
  setTime(FRESH_MS);
  await getAll('w', 'z');
  reads = [];
  await getAll('w', 'y', 'z');
  expect(reads).toEqual([]);
  await getAll('x');
  expect(reads).toEqual(['x']);
});

test('values up to the limit in bytes stay', async () => {
  stored = { a: 'a', b: 'b', c: 'c' };
  await getAll('a', 'b', 'c', 'a', 'b', 'c');
  expect(reads).toEqual(['a', 'b', 'c']);
});

test('beyond the limit in bytes, the least recently read values are evicted', async () => {
  stored = { a: 'a', b: 'b', c: 'c', d: '11 bytes' };
  await getAll('a', 'b', 'c', 'd');
  reads = [];
  await getAll('d', 'c');
  expect(reads).toEqual([]);
  await getAll('a', 'b');
  expect(reads).toEqual(['a', 'b']);
});

test('a value that is read again counts once, with its new size, and becomes the newest', async () => {
  stored = { a: '20 bytes', b: 'b' };
  await getAll('a', 'b');
  setTime(FRESH_MS);
  stored.a = 'a';
  await getAll('a');
  // Now there is room for another one.
  stored.c = 'c';
  await getAll('c');
  reads = [];
  await getAll('a', 'c');
  expect(reads).toEqual([]);
  // The value of b was read before that of a.
  stored.d = 'd';
  await getAll('d', 'a', 'c');
  expect(reads).toEqual(['d']);
  await getAll('b');
  expect(reads).toEqual(['d', 'b']);
});

test('a removed value takes no space', async () => {
  stored = { a: '20 bytes', b: 'b' };
  await getAll('a', 'b');
  setTime(FRESH_MS);
  delete stored.a;
  stored.c = '20 bytes';
  await getAll('b', 'a', 'c');
  reads = [];
  await getAll('b', 'c');
  expect(reads).toEqual([]);
});

test('a stale value counts once', async () => {
  stored = { a: 'a', b: 'b', c: 'c' };
  await getAll('a', 'b', 'c');
  for (const key of ['a', 'b', 'c']) stored[key] = new Error('down');
  for (let times = 1; times <= 3; times++) {
    setTime(times * FRESH_MS);
    await getAll('a', 'b', 'c');
  }
  expect(served).toHaveLength(9);
});
