import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fingerprintOf } from '../../../../core/clients/app-id-fingerprint.ts';
import { AppIdUses } from '../../../../core/clients/app-id-uses.ts';
import { logger } from '../../../../core/runtime/logger.ts';

const MINUTE = 60_000;
const MAX_APP_IDS = 100;
const [A, B] = [fingerprintOf('a'), fingerprintOf('b')];

let lines: { uses: object }[];
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
  const line = (count: number) => ({ uses: { demo: { [A]: count } } });
  expect(lines).toEqual([line(1), ...Array(10).fill(line(60)), line(1)]);
});

test('the first use of each App-Id in an hour is logged at once', () => {
  const uses = new AppIdUses();
  uses.count('demo', 'a');
  uses.count('demo', 'b');
  uses.count('pizza', 'a');
  const first = [{ demo: { [A]: 1 } }, { demo: { [B]: 1 } }, { pizza: { [A]: 1 } }];
  expect(lines.map((line) => line.uses)).toEqual(first);
  uses.count('demo', 'a');
  uses.count('demo', 'b');
  expect(lines).toHaveLength(3);
  vi.advanceTimersByTime(60 * MINUTE);
  uses.count('demo', 'a');
  uses.count('demo', 'b');
  const next = [{ demo: { [A]: 2, [B]: 1 } }, { demo: { [B]: 1 } }];
  expect(lines.slice(3).map((line) => line.uses)).toEqual(next);
});

test('a line names a hundred keys at most, fits into one of CloudWatch, and no count is lost', () => {
  const uses = new AppIdUses();
  const clients = Array.from({ length: 150 }, (_, index) => `${100 + index}${'"'.repeat(252)}`);
  const useAll = () => {
    for (const clientId of clients) uses.count(clientId, 'a');
  };
  useAll();
  expect(lines).toHaveLength(150);
  lines = [];
  useAll();
  vi.advanceTimersByTime(MINUTE);
  uses.count('demo', 'a');
  expect(lines.map((line) => Object.keys(line.uses).length)).toEqual([MAX_APP_IDS, 51]);
  expect(JSON.stringify(lines[0]).length).toBeLessThan(64 * 1024);
});
