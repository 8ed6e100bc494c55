import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assignIds } from '../../../../core/configuration/assign-ids.ts';

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

test('what is not a map, or has an id of another type, stays as it is', () => {
  const fields = [null, 'text', { id: 7 }, { id: 'loyalty' }];
  expect(assignIds(fields, 3)).toEqual({ fields, lastFieldId: 3 });
});

test('no id is given twice, and lastFieldId never decreases', () => {
  const id = fc.option(fc.nat(20).map(String), { nil: undefined });
  fc.assert(
    fc.property(fc.uniqueArray(id, { maxLength: 8 }), fc.nat(20), (given, before) => {
      const stored = given.map((one) => (one === undefined ? {} : { id: one }));
      const { fields, lastFieldId } = assignIds([...stored, {}], before);
      const ids = fields.map((field) => Number((field as { id: string }).id));
      expect(new Set(ids).size).toBe(ids.length);
      expect(lastFieldId).toBe(Math.max(before, ...ids));
    }),
  );
});
