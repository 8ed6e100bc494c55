import fc from 'fast-check';
import { expect, test } from 'vitest';
import { closestName, hasTypingError } from '../../../core/closest-name.ts';

test.each([
  ...['feilds', 'fileds', 'filds', 'fiekds', 'field', 'fiellds', 'Fields', 'FIELDS', 'fi_elds'],
])('%s is fields with a typing error', (name) => {
  expect(hasTypingError(name, 'fields')).toBe(true);
});

test.each([
  ...['friends', 'files', 'feeds', 'yields', 'shields', 'fees', 'sdleif', 'f', ''],
  ...['fields2', 'fieldsOld', 'oldFields', 'fieldss'],
])('%j is another name than fields', (name) => {
  expect(hasTypingError(name, 'fields')).toBe(false);
});

test.each(['last_field_id', 'LAST__FIELD_ID', 'lastFieldID', 'lastFeildId', 'lastFielId'])(
  '%s is lastFieldId with a typing error',
  (name) => {
    expect(hasTypingError(name, 'lastFieldId')).toBe(true);
    expect(hasTypingError(name, 'fields')).toBe(false);
  },
);

test('two letters that are swapped are a typing error, wherever they are, but for the first', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), (at) => {
      const known = 'abcdefghijk';
      const letters = known.split('');
      letters.splice(at, 2, ...letters.slice(at, at + 2).toReversed());
      expect(hasTypingError(letters.join(''), known)).toBe(true);
      letters.reverse();
      expect(hasTypingError(letters.join(''), known)).toBe(false);
    }),
  );
});

test.each<[name: string, wrong: number, found: string | undefined]>([
  ['placeholder', 1 / 2, 'placeHolderText'],
  ['placeholdr', 1 / 2, undefined],
  ['maxs', 1 / 2, undefined],
  ['maxsChrs', 1 / 2, 'maxChars'],
  ['maxsChrs', 1 / 5, undefined],
  ['max_chars', 0, 'maxChars'],
])(
  '%s may have four wrong characters at most, and no larger part of wrong ones than %d',
  (name, wrong, found) => {
    expect(closestName(name, ['alpha', 'placeHolderText', 'maxChars'], wrong)).toBe(found);
  },
);
