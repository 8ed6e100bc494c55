import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fingerprintOf } from '../../../../core/clients/app-id-fingerprint.ts';
import { AppIdUses } from '../../../../core/clients/app-id-uses.ts';
import { logger } from '../../../../core/runtime/logger.ts';

const MINUTE = 60_000;
const MAX_APP_IDS = 100;
const A = fingerprintOf('a');

let lines: { unnamed: number; uses: object }[];
beforeEach(() => {
  vi.useFakeTimers();
  lines = [];
  vi.spyOn(logger, 'info').mockImplementation((_, values) => {
    lines.push(values as (typeof lines)[number]);
  });
});
afterEach(() => {
  // It logs during a call only.
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('of a flood there is one line a minute, and no count is lost', () => {
  const uses = new AppIdUses();
  for (let second = 0; second <= 600; second++) {
    uses.count('demo', 'a');
    vi.advanceTimersByTime(1000);
  }
  vi.advanceTimersByTime(60 * MINUTE);
  // After a quiet time, a use is logged at once.
  uses.count('demo', 'a');
  const line = (count: number) => ({ unnamed: 0, uses: { demo: { [A]: count } } });
  expect(lines).toEqual([line(1), ...Array(10).fill(line(60)), line(1)]);
});

test('a line names a hundred keys, counts the uses of the others, and fits into one of CloudWatch', () => {
  const uses = new AppIdUses();
  const longest = (client: number) => `${client}${'"'.repeat(252)}`;
  uses.count('first', 'a');
  for (let client = 100; client < MAX_APP_IDS + 103; client++) uses.count(longest(client), 'a');
  uses.count(longest(100), 'b');
  uses.count(longest(100), 'a');
  for (let times = 0; times < 2; times++) {
    vi.advanceTimersByTime(MINUTE);
    uses.count(longest(101), 'a');
  }
  const [, second, third] = lines;
  expect(second?.unnamed).toBe(4);
  expect(Object.keys(second?.uses ?? {})).toHaveLength(MAX_APP_IDS);
  expect(second?.uses).toMatchObject({ [longest(100)]: { [A]: 2 }, [longest(101)]: { [A]: 2 } });
  expect(JSON.stringify(second).length).toBeLessThan(64 * 1024);
  expect(third).toEqual({ unnamed: 0, uses: { [longest(101)]: { [A]: 1 } } });
});
