import { StoredId } from 'customer-data-api/configuration';
import fc from 'fast-check';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import {
  escapedId,
  isSameCode,
  isSameUser,
  searchedIds,
} from '../../../promo-events/same-user-or-code.ts';

const UUID = 'd8f1a2b0-1b2c-4d3e-8f90-a1b2c3d4e5f6';
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

test.each([
  ['caf\u00e9-7', 'cafe\u0301-7', true],
  ['\u1ec7', 'e\u0323\u0302', true],
  ['\ud55c', '\u1112\u1161\u11ab', true],
  [UUID, UUID.replace('f', 'F'), true],
  ['jane', 'Jane', false],
  ['jane', 'jane ', false],
  ['caf\u00e9', 'CAF\u00c9', false],
  ['\uff4aane', 'jane', false],
  ['ﬁ', 'fi', false],
])('the users %j and %j are one of a search: %s', (one, other, isSame) => {
  expect([isSameUser(one, other), isSameUser(other, one)]).toEqual([isSame, isSame]);
});

test.each([
  ['SUMMER26', 'summer26', true],
  ['SUMMER26', 'SuMmEr26', true],
  ['CAFÉ', 'cafÉ', true],
  ['CAFÉ', 'café', false],
  ['SS', 'ß', false],
  ['I', 'ı', false],
  ['SAVE-10', 'SAVE–10', false],
  ['SUMMER26', 'SUMMER 26', false],
])('the codes %j and %j are one of a search: %s', (one, other, isSame) => {
  expect([isSameCode(one, other), isSameCode(other, one)]).toEqual([isSame, isSame]);
});
