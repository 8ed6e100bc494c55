import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Codes } from '../../../page/src/answers.ts';
import { barsOf, joined } from '../../../page/src/codes/counts.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Days of more than a year, with both ends of summer time. */
const days = fc.dictionary(
  fc
    .integer({ min: 0, max: 400 })
    .map((day) => new Date(Date.UTC(2026, 0, 1) + day * DAY_MS).toISOString().slice(0, 10)),
  fc.integer({ min: 1, max: 1000 }),
  { minKeys: 1, maxKeys: 60 },
);
const sumOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);

test('a chart has each code once, and no gap', () => {
  fc.assert(
    fc.property(days, (counts) => {
      const { bars, left } = barsOf(counts);
      expect(sumOf(bars.map(({ applied }) => applied)) + left).toBe(sumOf(Object.values(counts)));
      for (const [index, { day }] of bars.slice(1).entries()) {
        expect(Date.parse(day) - Date.parse(bars[index]?.day ?? '')).toBe(DAY_MS);
      }
    }),
    { numRuns: 20 },
  );
});

test('the parts of a search are joined, the newest first', () => {
  const part = (times: readonly string[]): Codes => ({
    events: times.map((receivedAt) => ({ receivedAt })),
    found: times.length + 1,
    applied: times.length,
    repeated: 1,
    users: 0,
    otherCodes: [],
    days: Object.fromEntries(times.map((time) => [time, 1])),
    read: 10,
    waiting: 0,
    deadLetters: 0,
  });
  const both = joined(part(['1', '3']), part(['2', '3']));
  expect(both.events.map(({ receivedAt }) => receivedAt)).toEqual(['3', '3', '2', '1']);
  expect(both).toMatchObject({ found: 6, applied: 4, repeated: 2, read: 20 });
  expect(both.days).toEqual({ 1: 1, 2: 1, 3: 2 });
});
