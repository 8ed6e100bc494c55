import fc from 'fast-check';
import { expect, test } from 'vitest';
import { baseOf, digestIn, isFree } from '../../../configurations/configuration-file.ts';

test('a base tells which ids were given before, and which of them its fields have', () => {
  const ids = fc.uniqueArray(fc.integer({ min: 1, max: 30 }));
  fc.assert(
    fc.property(ids, fc.integer({ min: 0, max: 30 }), (given, lastFieldId) => {
      const fields = given.map((id) => ({ id: String(id) }));
      const base = baseOf('45d963a0', { fields, lastFieldId });
      const highest = Math.max(lastFieldId, ...given);
      for (let id = 1; id <= 32; id++) {
        const wanted = id <= highest && !given.includes(id);
        expect([id, isFree(base, String(id)), isFree(base, `0${id}`)]).toEqual([
          id,
          wanted,
          wanted,
        ]);
      }
      expect(digestIn(base)).toBe('45d963a0');
    }),
  );
});
