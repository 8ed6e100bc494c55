import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { StaleIfErrorCache } from '../../../../core/runtime/stale-if-error-cache.ts';

/* Fresh for 10 s, stale for 15 minutes, 30 bytes of values and three absences. */

const START = Date.parse('2026-11-20T09:30:00Z');
const DOWN = new Error('down');

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: START });
});
afterEach(() => {
  vi.useRealTimers();
});

function create() {
  const stored = new Map<string, string>();
  const reads: string[] = [];
  const served: unknown[] = [];
  let readMs = 0;
  const cache = new StaleIfErrorCache<string>({
    read: async (key) => {
      reads.push(key);
      vi.setSystemTime(Date.now() + readMs);
      const value = stored.get(key) ?? '-';
      if (value === '!') throw DOWN;
      // The size of a value is the number in it, or 10.
      return value === '-' ? undefined : { value, bytes: Number(/\d+/.exec(value)?.[0] ?? 10) };
    },
    freshMs: 10_000,
    staleIfErrorMs: 900_000,
    maxBytes: 30,
    maxAbsences: 3,
    onStale: (key, error) => served.push([key, error]),
  });

  /**
   * A key as it is now: its value with `*` if it is stale, `-` if it has none, or `!` if it cannot
   * be read.
   */
  async function get(key: string): Promise<string> {
    try {
      const { value = '-', stale } = await cache.get(key);
      return stale ? `${value}*` : value;
    } catch (error) {
      expect(error).toBe(DOWN);
      return '!';
    }
  }

  /**
   * Each line: the time in milliseconds, a key, what is stored under it, what the cache gives, how
   * many reads there have been, and how long a read takes.
   */
  async function play(steps: string): Promise<void> {
    for (const step of steps.trim().split('\n')) {
      const [ms, key = '', value = '', expected, count, takes = 0] = step.trim().split(/ +/);
      vi.setSystemTime(START + Number(ms));
      stored.set(key, value);
      readMs = Number(takes);
      expect(`${step}: ${await get(key)} ${reads.length}`).toBe(`${step}: ${expected} ${count}`);
    }
  }
  return { cache, get, play, stored, reads, served };
}

test.each(
  Object.entries({
    'a value is read again after the fresh time, and no earlier': `
    0      a  one  one  1
    9999   a  two  one  1
    10000  a  two  two  2`,
    'the fresh time starts before the read, so that an edit during the read does not wait longer': `
    0      a  one  one  1  5000
    10000  a  two  two  2`,
    'the absence of a value is cached for the fresh time': `
    0      a  -    -    1
    9999   a  one  -    1
    10000  a  one  one  2
    10001  a  one  one  2`,
    'while reads fail, the last value is served as stale until the stale time is over': `
    0       a  one   one   1
    10000   a  !     one*  2
    900000  a  !     one*  3
    900001  a  !     !     4
    900001  a  back  back  5`,
    'a value that gets too old during a failing read is not served': `
    0       a  one  one  1
    900000  a  !    !    2  1`,
    'while reads fail, one request in each fresh time waits for a read': `
    0      a  one  one   1
    10000  a  !    one*  2  5
    10005  a  !    one*  2
    20004  a  !    one*  2
    20005  a  !    one*  3`,
    'a removed value is never served again': `
    0      a  one  one  1
    10000  a  -    -    2
    20000  a  !    !    3`,
    'absences evict no values, and beyond their limit the one that was read longest ago is evicted': `
    0  a  one  one  1
    0  w  -    -    2
    0  x  -    -    3
    0  y  -    -    4
    0  z  -    -    5
    0  x  -    -    5
    0  w  -    -    6
    0  a  one  one  6`,
    'an absence that is read again becomes the newest': `
    0      w  -  -  1
    1      x  -  -  2
    1      y  -  -  3
    10000  w  -  -  4
    10000  z  -  -  5
    10000  w  -  -  5
    10000  y  -  -  5
    10000  x  -  -  6`,
    'values up to the limit in bytes stay, and beyond it those that were read longest ago are evicted': `
    0  a  a    a    1
    0  b  b    b    2
    0  c  c    c    3
    0  a  a    a    3
    0  d  d11  d11  4
    0  c  c    c    4
    0  a  a    a    5
    0  b  b    b    6`,
    'a value that is read again counts once, with its new size, and becomes the newest': `
    0      a  a20  a20  1
    0      b  b    b    2
    10000  a  a    a    3
    10000  c  c    c    4
    10000  a  a    a    4
    10000  d  d    d    5
    10000  a  a    a    5
    10000  c  c    c    5
    10000  b  b    b    6`,
    'a removed value takes no space': `
    0      a  a20  a20  1
    0      b  b    b    2
    10000  b  b    b    3
    10000  a  -    -    4
    10000  c  c20  c20  5
    10000  b  b    b    5`,
    'a stale value counts once': `
    0      a  a  a   1
    0      b  b  b   2
    10000  a  !  a*  3
    10000  b  !  b*  4
    20000  a  !  a*  5
    20000  b  !  b*  6
    20000  c  c  c   7
    20000  a  !  a*  7
    20000  b  !  b*  7`,
  }),
)('%s', (_, steps) => create().play(steps));

test('concurrent requests share one read, and its error', async () => {
  const { get, stored, reads } = create();
  stored.set('a', '!').set('b', 'b');
  expect(await Promise.all(['a', 'a', 'b', 'a'].map(get))).toEqual(['!', '!', 'b', '!']);
  expect(reads).toEqual(['a', 'b']);
  stored.set('a', 'up');
  expect(await get('a')).toBe('up');
});

test('the error of a read is reported only when a stale value is served in its place', async () => {
  const { play, served } = create();
  await play(`0  b  !    !    1
              0  a  one  one  2`);
  expect(served).toEqual([]);
  await play('10000  a  !  one*  3');
  expect(served).toEqual([['a', DOWN]]);
});
