import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assignIds, highestIdIn } from '../../../../core/configuration/assign-ids.ts';

test('a field without an id gets the next one, in the order of the fields', () => {
  const fields = [{ fieldName: 'A' }, { id: '2', fieldName: 'B' }, { fieldName: 'C' }];
  expect(assignIds(fields, 4)).toEqual({
    fields: [
      { id: '5', fieldName: 'A' },
      { id: '2', fieldName: 'B' },
      { id: '6', fieldName: 'C' },
    ],
    lastFieldId: 6,
  });
});

test('an id that a field has already counts, although lastFieldId is below it', () => {
  const { fields, lastFieldId } = assignIds([{ id: '7' }, {}], 1);
  expect(fields).toEqual([{ id: '7' }, { id: '8' }]);
  expect(lastFieldId).toBe(8);
});

test('an id that the history knows is not given again, and lastFieldId follows a new field only', () => {
  expect(assignIds([{ id: '2' }, {}], 2, 7)).toEqual({
    fields: [{ id: '2' }, { id: '8' }],
    lastFieldId: 8,
  });
  expect(assignIds([{ id: '2' }], 2, 7)).toEqual({ fields: [{ id: '2' }], lastFieldId: 2 });
});

test.each<[item: Record<string, unknown>, highest: number]>([
  [{ fields: [{ id: '7' }, { id: '2' }], lastFieldId: 5 }, 7],
  [{ fields: [{ id: '7' }], lastFieldId: 9 }, 9],
  [{ fields: [{ id: 'loyalty' }, null], lastFieldId: '9' }, 0],
  [{ fields: 'none' }, 0],
  [{ fields: [{ id: '7' }], lastFieldId: 1.5 }, 7],
  [{ fields: [], lastFieldId: 999_999_999_999_999 }, 999_999_999_999_999],
  // A typing error.
  [{ fields: [{ id: '7' }], lastFieldId: 1e15 }, 7],
])('the highest id in %j is %d', (item, highest) => {
  expect(highestIdIn(item)).toBe(highest);
});

test('what is not a map, or has an id of another type, stays as it is', () => {
  const fields = [null, 'text', { id: 7 }, { id: 'loyalty' }];
  expect(assignIds(fields, 3)).toEqual({ fields, lastFieldId: 3 });
});

test('no id is given twice, and lastFieldId never decreases', () => {
  const id = fc.option(fc.nat(20).map(String), { nil: undefined });
  const given = fc.uniqueArray(id, { maxLength: 8 });
  fc.assert(
    fc.property(given, fc.nat(20), fc.nat(20), (before, last, highestEver) => {
      const stored = before.map((one) => (one === undefined ? {} : { id: one }));
      const { fields, lastFieldId } = assignIds([...stored, {}], last, highestEver);
      const ids = fields.map((field) => Number((field as { id: string }).id));
      expect(new Set(ids).size).toBe(ids.length);
      expect(lastFieldId).toBe(Math.max(last, ...ids));
      expect(ids.at(-1)).toBeGreaterThan(highestEver);
    }),
  );
});
