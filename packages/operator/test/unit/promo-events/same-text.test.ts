import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSameText } from '../../../promo-events/same-text.ts';

const CHARACTERS = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code));
const kinds = (pattern: RegExp) => CHARACTERS.filter((character) => pattern.test(character));

test.each([
  ['dash', '-', [...kinds(/\p{Dash}/u), '\u02d7', '\u2043', 'ー']],
  [
    'quote',
    "'",
    [...kinds(/\p{Quotation_Mark}/u), '´', '`', '′', '″', 'ʼ', 'ʻ', 'ˈ', '׳', '՚', 'ꞌ'],
  ],
  [
    'character that nobody sees',
    '',
    [...kinds(/\p{Default_Ignorable_Code_Point}/u), '\ufffc', '\u2800'],
  ],
])('each %s is the same in a search', (_, typed, all) => {
  expect(all.length).toBeGreaterThan(20);
  expect(all.filter((one) => !isSameText(`SAVE${typed}10`, `save${one}10`))).toEqual([]);
});

test('the digits of each script are the same in a search', () => {
  const digits = kinds(/\p{Nd}/u);
  expect(digits.length).toBeGreaterThan(700);
  // In each script they follow each other, from zero to nine.
  const values = digits.map((digit) =>
    [...'0123456789'].filter((value) => isSameText(`SAVE${value}`, `SAVE${digit}`)).join(),
  );
  expect(values).toEqual(digits.map((_, index) => String(index % 10)));
});

test('codes with another letter or digit are not the same', () => {
  const Code = fc.stringMatching(/^[A-Z\d'-]{1,10}$/);
  const plain = (code: string) => code.replace(/'+/g, "'");
  fc.assert(
    fc.property(Code, Code, (one, other) => {
      expect(isSameText(one, other)).toBe(plain(one) === plain(other));
    }),
  );
  expect(isSameText('SAVE10', 'SAVE-10')).toBe(false);
  expect(isSameText('ITS10', 'IT’S10')).toBe(false);
});
