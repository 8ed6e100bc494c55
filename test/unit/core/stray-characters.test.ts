import fc from 'fast-check';
import { expect, test } from 'vitest';
import { warningsOn } from '../../../core/configuration/warnings.ts';
import { escapeInvisible, isBlank, strayCharacterIn } from '../../../core/stray-characters.ts';
import { ANY_CHARACTER } from '../../support/any-character.ts';
import { runs } from '../../support/runs.ts';

const codesOf = (fieldName: string) =>
  warningsOn({ fieldType: 'text', fieldName }).map(({ code }) => code);

const UNSEEN = [
  '\t',
  '\0',
  '\u0085',
  '\u00ad',
  '\u115f',
  '\u200b',
  '\u200e',
  '\u2028',
  '\u2800',
  '\ufeff',
];

test.each([
  'Gr\ufffdsse',
  'MÃ¼nchen',
  'Rock&Roll;',
  '&auml;',
  '&#xE4;',
  'Ask <b>me</b>',
  '<a href="x">',
  '<BR />',
  'IRMÃ\u0093',
  ...UNSEEN.map((one) => `a${one}b`),
  'ไทย\u200b',
  'ไทย\u200bPizza',
  'ไทย\u200eไทย',
  'שלום\u202e!',
  'שלום\u200bשלום',
])('a text with characters that nobody types has one warning: %j', (text) => {
  expect(codesOf(text)).toEqual(['strayCharacter']);
});

test.each([
  '',
  'Rock & Roll;',
  '<none>',
  'T-shirt <S>',
  'a < b = c',
  '%20 more',
  '10\u00a0%',
  'ÃO',
  'می\u200cخواهم',
  'क्\u200dष',
  'សូម\u200bបញ្ចូល\u200bឈ្មោះ',
  'ชื่อ\u200bผู้ใช้',
  'ຊື່\u200bຜູ້ໃຊ້',
  'အမည်\u200bထည့်ပါ',
  '\u200fC++\u200e שלום',
  'السعر\u061c 5',
  '❤\ufe0f 1\ufe0f⃣ 👩\u200d🔧',
  '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
  ' ',
])('any other text has none: %j', (text) => {
  expect(codesOf(text)).toEqual([]);
});

test('a warning quotes the place, with what nobody sees escaped, and the text stays', () => {
  const text = fc.string({ unit: ANY_CHARACTER, maxLength: 60 });
  fc.assert(
    fc.property(text, fc.constantFrom(...UNSEEN), text, (a, one, b) => {
      const place = strayCharacterIn(`${a}${one}${b}`) ?? '';
      expect(place.length).toBeLessThan(300);
      expect(place.isWellFormed()).toBe(true);
      expect(escapeInvisible(place)).toBe(place);
      const shown = escapeInvisible(`${a}${one}${b}`);
      expect(shown).toContain(place.replaceAll(/^…?"|"…?$/g, ''));
    }),
    { numRuns: runs(200) },
  );
});

test.each(['', ' ', '\u00a0', '\u3000', '\u200c', '\ufe0f', '\u200e\u202e', ...UNSEEN])(
  'a text is blank if nobody sees anything of it: %j',
  (text) => {
    expect(isBlank(text)).toBe(true);
    expect(isBlank(`א${text}`)).toBe(false);
  },
);
