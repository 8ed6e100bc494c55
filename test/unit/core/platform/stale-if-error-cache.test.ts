import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LastGoodCache } from '../../../../core/platform/stale-if-error-cache.ts';

const FRESH_MS = 10_000;
const LAST_GOOD_MS = 900_000;

let stored: Record<string, string | Error>;
let reads: string[];
let lastGoodServed: unknown[];
let cache: LastGoodCache<string>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: 0 });
  stored = { a: 'one' };
  reads = [];
  lastGoodServed = [];
  cache = new LastGoodCache({
    read: async (key: string) => {
      reads.push(key);
      const value = stored[key];
      if (value instanceof Error) throw value;
      return value;
    },
    freshMs: FRESH_MS,
    lastGoodMs: LAST_GOOD_MS,
    maxKeys: 3,
    onLastGood: (key, error) => lastGoodServed.push([key, error]),
  });
});
afterEach(() => {
  vi.useRealTimers();
});

const read = async (key: string) => {
  const { value, stale } = await cache.get(key);
  return [value, stale];
};

test('a value is read again after the fresh time, and not before', async () => {
  expect(await read('a')).toEqual(['one', false]);
  stored.a = 'two';
  vi.setSystemTime(FRESH_MS - 1);
  expect(await read('a')).toEqual(['one', false]);
  vi.setSystemTime(FRESH_MS);
  expect(await read('a')).toEqual(['two', false]);
  expect(reads).toEqual(['a', 'a']);
});

test('what is stored while a read is under way waits for no longer than the fresh time', async () => {
  const slow = new LastGoodCache({
    read: async () => {
      const value = stored.a;
      vi.setSystemTime(Date.now() + FRESH_MS / 2);
      return value;
    },
    freshMs: FRESH_MS,
    lastGoodMs: LAST_GOOD_MS,
    maxKeys: 3,
    onLastGood: () => {},
  });
  expect((await slow.get('a')).value).toBe('one');
  stored.a = 'two';
  vi.setSystemTime(FRESH_MS);
  expect((await slow.get('a')).value).toBe('two');
});

test('requests at the same time share one read', async () => {
  await Promise.all([cache.get('a'), cache.get('a'), cache.get('b'), cache.get('a')]);
  expect(reads).toEqual(['a', 'b']);
});

test('the absence of a value is cached for the fresh time', async () => {
  expect(await read('new')).toEqual([undefined, false]);
  stored.new = 'here';
  expect(await read('new')).toEqual([undefined, false]);
  vi.setSystemTime(FRESH_MS);
  expect(await read('new')).toEqual(['here', false]);
});

test('while reads fail, the last good value is served, for the last good time', async () => {
  await cache.get('a');
  stored.a = new Error('down');
  vi.setSystemTime(FRESH_MS);
  expect(await read('a')).toEqual(['one', true]);
  vi.setSystemTime(LAST_GOOD_MS);
  expect(await read('a')).toEqual(['one', true]);
  vi.setSystemTime(LAST_GOOD_MS + FRESH_MS);
  await expect(cache.get('a')).rejects.toThrow('down');
  stored.a = 'back';
  expect(await read('a')).toEqual(['back', false]);
});

test('the last good value is never older than the last good time', async () => {
  await cache.get('a');
  stored.a = new Error('down');
  vi.setSystemTime(LAST_GOOD_MS - 1);
  expect(await read('a')).toEqual(['one', true]);
  vi.setSystemTime(LAST_GOOD_MS + 1);
  await expect(cache.get('a')).rejects.toThrow('down');
});

test('why a read failed is told when the last good value stands in for it', async () => {
  await cache.get('a');
  const error = new Error('down');
  stored.a = error;
  vi.setSystemTime(FRESH_MS);
  await cache.get('a');
  expect(lastGoodServed).toEqual([['a', error]]);
});

test('asking for keys that do not exist pushes out none that does', async () => {
  await cache.get('a');
  for (let key = 0; key < 10; key++) await cache.get(`absent-${key}`);
  stored.a = new Error('down');
  vi.setSystemTime(FRESH_MS);
  expect(await read('a')).toEqual(['one', true]);
});

test('while reads fail, one request in each fresh time waits for a read', async () => {
  await cache.get('a');
  stored.a = new Error('down');
  vi.setSystemTime(FRESH_MS);
  for (let requests = 0; requests < 5; requests++) await cache.get('a');
  expect(reads).toHaveLength(2);
});

test('a failing first read is an error, and the next request tries again', async () => {
  stored.a = new Error('down');
  await expect(cache.get('a')).rejects.toThrow('down');
  stored.a = 'up';
  expect(await read('a')).toEqual(['up', false]);
});

test('a value that was removed is not a last good one', async () => {
  await cache.get('a');
  delete stored.a;
  vi.setSystemTime(FRESH_MS);
  expect(await read('a')).toEqual([undefined, false]);
  stored.a = new Error('down');
  vi.setSystemTime(2 * FRESH_MS);
  await expect(cache.get('a')).rejects.toThrow('down');
});

test('beyond the most keys, the one read longest ago goes', async () => {
  for (const key of ['a', 'b', 'c', 'd']) stored[key] = key;
  for (const key of ['a', 'b', 'c', 'd']) await cache.get(key);
  for (const key of ['d', 'c', 'b', 'a']) await cache.get(key);
  expect(reads).toEqual(['a', 'b', 'c', 'd', 'a']);
});
