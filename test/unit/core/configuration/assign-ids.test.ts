import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assignIds, highestIdIn } from '../../../../core/configuration/assign-ids.ts';

test('new fields get the next ids in their order; no id is given twice, and lastFieldId never falls', () => {
  const id = fc.option(fc.oneof(fc.nat(20).map(String), fc.constant('loyalty')), {
    nil: undefined,
  });
  const ids = fc.uniqueArray(id, { maxLength: 8, selector: (one) => one ?? {} });
  fc.assert(
    fc.property(ids, fc.nat(20), fc.nat(20), (before, last, highestEver) => {
      const stored = before.map((one) => (one === undefined ? { fieldName: 'New' } : { id: one }));
      const { fields, lastFieldId } = assignIds(stored, last, highestEver);
      const used = Math.max(last, ...before.map((one) => Number(one) || 0));
      let next = Math.max(used, highestEver);
      const expected = stored.map((field) =>
        'id' in field ? field : { id: String(++next), ...field },
      );
      expect(fields).toEqual(expected);
      // It follows a new field only, not the history.
      expect(lastFieldId).toBe(before.includes(undefined) ? next : used);
    }),
  );
});

test('what is not a map, or has an id of another type, stays as it is', () => {
  const fields = [null, 'text', { id: 7 }, { id: '1e3' }];
  expect(assignIds(fields, 3)).toEqual({ fields, lastFieldId: 3 });
});

test.each<[item: Record<string, unknown>, highest: number]>([
  [{ fields: [{ id: '7' }, { id: '2' }], lastFieldId: 5 }, 7],
  [{ fields: [{ id: '7' }], lastFieldId: 9 }, 9],
  [{ fields: [{ id: 'loyalty' }, null], lastFieldId: '9' }, 0],
  [{ fields: 'none' }, 0],
  [{ fields: [{ id: '7' }], lastFieldId: 10.5 }, 7],
  [{ fields: [{ id: '7' }], lastFieldId: 10_007 }, 10_007],
  // Typing errors, and dates.
  [{ fields: [{ id: '7' }], lastFieldId: 10_008 }, 7],
  [{ fields: [{ id: '7' }], lastFieldId: Number.MAX_SAFE_INTEGER }, 7],
])('the highest id in %j is %d', (item, highest) => {
  expect(highestIdIn(item)).toBe(highest);
});
