import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keyDigest } from '../../../../core/clients/key-digest.ts';
import { KeyUses } from '../../../../core/clients/key-uses.ts';
import { logger } from '../../../../core/platform/logger.ts';

const MINUTE = 60_000;
const MAX_KEYS = 100;

let lines: object[];
beforeEach(() => {
  vi.useFakeTimers();
  lines = [];
  vi.spyOn(logger, 'info').mockImplementation((message, values) => {
    lines.push({ message, ...values });
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const line = (uses: object, unnamed = 0) => ({ message: 'App-Ids were used', unnamed, uses });

test('the first use is logged at once, and the next ones with the first call after a minute', () => {
  const uses = new KeyUses();
  uses.count('demo', 'a');
  expect(lines).toEqual([line({ demo: { [keyDigest('a')]: 1 } })]);
  for (const [clientId, key] of [...'aab'].map((one) => ['demo', one] as const)) {
    uses.count(clientId, key);
  }
  uses.count('acme', 'a');
  vi.advanceTimersByTime(MINUTE - 1);
  uses.count('acme', 'a');
  expect(lines).toHaveLength(1);
  vi.advanceTimersByTime(1);
  uses.count('acme', 'a');
  const demo = { [keyDigest('a')]: 2, [keyDigest('b')]: 1 };
  expect(lines.slice(1)).toEqual([line({ demo, acme: { [keyDigest('a')]: 3 } })]);
});

test('a use after a quiet time is logged at once, and counts start again after a line', () => {
  const uses = new KeyUses();
  for (let hour = 0; hour < 3; hour++) {
    uses.count('demo', 'a');
    vi.advanceTimersByTime(60 * MINUTE);
  }
  expect(lines).toEqual(Array(3).fill(line({ demo: { [keyDigest('a')]: 1 } })));
});

test('of a flood there is one line a minute, and no count is lost', () => {
  const uses = new KeyUses();
  for (let second = 0; second <= 600; second++) {
    uses.count('demo', 'a');
    vi.advanceTimersByTime(1000);
  }
  expect(lines).toHaveLength(11);
  expect(lines.slice(1)).toEqual(Array(10).fill(line({ demo: { [keyDigest('a')]: 60 } })));
});

test('writes nothing while there are no calls', () => {
  const uses = new KeyUses();
  uses.count('demo', 'a');
  uses.count('demo', 'a');
  vi.advanceTimersByTime(60 * MINUTE);
  expect(lines).toHaveLength(1);
  expect(vi.getTimerCount()).toBe(0);
});

test('a line names a hundred keys, and counts the uses of the others', () => {
  const uses = new KeyUses();
  uses.count('first', 'a');
  for (let client = 0; client < MAX_KEYS + 3; client++) uses.count(`client ${client}`, 'a');
  uses.count('client 0', 'b');
  uses.count('client 0', 'a');
  vi.advanceTimersByTime(MINUTE);
  uses.count('client 1', 'a');
  const [, second] = lines as ReturnType<typeof line>[];
  expect(second?.unnamed).toBe(4);
  expect(Object.keys(second?.uses ?? {})).toHaveLength(MAX_KEYS);
  expect(second?.uses).toMatchObject({ 'client 0': { [keyDigest('a')]: 2 } });
  vi.advanceTimersByTime(MINUTE);
  uses.count('last', 'a');
  expect(lines[2]).toEqual(line({ last: { [keyDigest('a')]: 1 } }));
});

test('a line of the longest client ids fits into a line of CloudWatch', () => {
  const uses = new KeyUses();
  uses.count('first', 'a');
  for (let client = 100; client < 2 * MAX_KEYS + 100; client++) {
    uses.count(`${client}${'"'.repeat(252)}`, 'a');
  }
  vi.advanceTimersByTime(MINUTE);
  uses.count('last', 'a');
  expect(JSON.stringify(lines[1]).length).toBeLessThan(64 * 1024);
});
