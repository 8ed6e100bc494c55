import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Codes } from '../../../page/src/answers.ts';
import { barsOf, type Counts, joined, mostSent, totalOf } from '../../../page/src/codes/counts.ts';

const HOUR_MS = 3_600_000;
/** Hours of more than a year, with both ends of summer time. */
const hours = fc.dictionary(
  fc
    .integer({ min: 0, max: 24 * 400 })
    .map((hour) => new Date(Date.UTC(2026, 0, 1) + hour * HOUR_MS).toISOString()),
  fc.record({ applied: fc.integer({ min: 1, max: 1000 }), repeated: fc.nat(1000) }),
  { minKeys: 1, maxKeys: 60 },
);

test('a chart has each code once, and no gap', () => {
  fc.assert(
    fc.property(hours, fc.constantFrom('hour', 'day'), (counts, unit) => {
      const { bars, left } = barsOf(counts, unit);
      const drawn = bars.map((bar) => bar.counts);
      expect(totalOf([...drawn, left])).toEqual(totalOf(Object.values(counts)));
      for (const [index, { at }] of bars.slice(1).entries()) {
        const length = (at.getTime() - (bars[index]?.at.getTime() ?? 0)) / HOUR_MS;
        expect(Math.abs(length - (unit === 'hour' ? 1 : 24))).toBeLessThanOrEqual(1);
        if (unit === 'day') expect(at.getHours() + at.getMinutes()).toBe(0);
      }
    }),
    { numRuns: 20 },
  );
});

const ONE: Counts = { applied: 1, repeated: 0 };

test('the parts of a search are joined, the newest first, and refusals count only if all are empty', () => {
  const part = (times: readonly string[], refusals = {}, code = 'A'): Codes => ({
    events: times.map((receivedAt) => ({ receivedAt })),
    found: times.length,
    hours: Object.fromEntries(times.map((time) => [time, ONE])),
    codes: { [code]: { applied: times.length, repeated: 0 } },
    read: 10,
    refusals,
    similar: [{ userId: 'similar' }],
    others: 0,
    waiting: 0,
    deadLetters: 0,
    commands: { search: '', csv: '', handOver: '', erase: '' },
  });
  const empty = joined(part([]), part([], { Unauthorized: 1 }));
  expect(empty).toMatchObject({ found: 0, read: 20, refusals: { Unauthorized: 1 } });
  const both = joined(part(['1', '3']), part(['2', '3']));
  expect(both.events.map(({ receivedAt }) => receivedAt)).toEqual(['3', '3', '2', '1']);
  expect(both).toMatchObject({ found: 4, codes: { A: { applied: 4 } }, similar: [] });
  expect(both.hours).toEqual({ 1: ONE, 2: ONE, 3: { applied: 2, repeated: 0 } });
  expect(both.refusals).toBeUndefined();
  const { codes } = joined(both, part(['4'], {}, 'constructor'));
  expect(mostSent(codes)).toMatchObject({
    rows: [{ code: 'A' }, { code: 'constructor', counts: ONE }],
  });
});
