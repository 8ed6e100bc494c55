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
  '\n',
  '\0',
  '\u007f',
  '\u0085',
  '\u00ad',
  '\u034f',
  '\u115f',
  '\u180e',
  '\u200b',
  '\u200e',
  '\u202e',
  '\u2028',
  '\u2060',
  '\u2800',
  '\u3164',
  '\ufeff',
  '\ufff9',
];

test.each([
  'Gr\ufffdsse',
  'MÃ¼nchen',
  'NÂ° 5',
  'Rock&Roll;',
  '&auml;',
  '&#228;',
  '&#xE4;',
  'Ask <b>me</b>',
  '<a href="x">',
  'one<br>two',
  '<BR />',
  'IRMÃ\u0093',
  ...UNSEEN.map((one) => `a${one}b`),
])('a text with characters that nobody types has one warning: %j', (text) => {
  expect(codesOf(text)).toEqual(['strayCharacter']);
});

test.each([
  '',
  'Rock & Roll;',
  '<none>',
  'T-shirt <S>',
  'a < b = c',
  '#NAME?',
  '“Yes”',
  'C:\\new',
  '%20 more',
  '10\u00a0%',
  '« Oui »',
  'ÃO',
  'می\u200cخواهم',
  'क्\u200dष',
  '❤\ufe0f 1\ufe0f⃣ 👩\u200d🔧',
  '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
  ' ',
  'a ',
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
