import { StoredId } from 'customer-data-api/configuration';
import fc from 'fast-check';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { escapedId, isSameUser, searchedIds } from '../../../promo-events/same-user-or-code.ts';

/** Letters with accents, Hangul, and a sign whose normal form is another letter. */
const id = fc
  .string({ unit: fc.constantFrom(...'aZ7 é한\u212b\u0301\u0323'), minLength: 1, maxLength: 90 })
  .filter((text) => v.is(StoredId, text));

test('a search for a user reads the id and its Unicode forms that fit into the table', () => {
  fc.assert(
    fc.property(id, (userId) => {
      const searched = searchedIds(userId);
      expect(searched[0]).toBe(userId);
      for (const one of searched) {
        expect(one.normalize('NFC')).toBe(userId.normalize('NFC'));
        expect(v.is(StoredId, one)).toBe(true);
        expect(isSameUser(userId, one)).toBe(true);
        expect(JSON.parse(escapedId(one))).toBe(one);
        expect(escapedId(one)).toMatch(/^[ -~]*$/);
      }
      for (const form of ['NFC', 'NFD'] as const) {
        const one = userId.normalize(form);
        expect(searched.includes(one)).toBe(v.is(StoredId, one));
      }
    }),
  );
});
