import fc from 'fast-check';
import { expect, test } from 'vitest';
import { warningsOn } from '../../../core/configuration/warnings.ts';
import { decodedText } from '../../../core/encoded-text.ts';
import {
  escapeInvisible,
  invisibleIn,
  isBlank,
  withoutInvisible,
} from '../../../core/invisible-characters.ts';
import { runs } from '../../support/runs.ts';

/* Correct texts are in good-files.txt of packages/operator/test/fixtures/check, too. */

const WORDS = [
  'München',
  'São Paulo',
  'Žilina',
  'Łódź',
  'Ελλάδα',
  'Привет',
  'שלום',
  'مرحبا',
  'สวัสดี',
  '日本',
  '한국어',
  'हिन्दी',
  'cœur',
  '€ 5',
  '😀',
  'Don’t',
  '“a”',
  '¿Qué?',
  'Ñandú',
  'ÇA VA',
  'ÚŽASNÝ',
];
const text = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 })
  .map((words) => words.join(' '));

/** How a program shows UTF-8 that it takes for windows-1252. */
const misread = (correct: string) =>
  new TextDecoder('windows-1252').decode(new TextEncoder().encode(correct));

test('a text that a program wrote in its own way is known as it was meant, and others stay', () => {
  const ways: ((correct: string) => string)[] = [
    misread,
    (correct) => encodeURIComponent(correct).replaceAll('%20', ' '),
    (correct) => correct.replaceAll(/[^ -~]/gu, (one) => `&#${one.codePointAt(0)};`),
    (correct) =>
      correct.replaceAll(
        /[^ -~]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      ),
    (correct) =>
      correct.replaceAll(/[^ -~]/gu, (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`),
    (correct) =>
      correct.replaceAll(
        /[^ -~]/gu,
        (one) => `\\U${one.codePointAt(0)?.toString(16).padStart(8, '0')}`,
      ),
  ];
  fc.assert(
    fc.property(text, fc.constantFrom(...ways), (correct, way) => {
      expect(decodedText(correct)).toBe(correct);
      expect(decodedText(way(correct))).toBe(correct);
    }),
  );
});

/** The texts that a field is warned about, each as one that nobody could have meant otherwise. */
const codesOf = (fieldName: string) =>
  warningsOn({ fieldType: 'text', fieldName }).map(({ code }) => code);

test.each([
  misread(misread('München')),
  'РџСЂРёРІРµС‚',
  'M√ºnchen',
  'S&atilde;o',
  '&Uuml;ber',
  "L\\'adresse",
  'Say \\"hi\\"',
  'First line\\nSecond',
  'End\\n',
  'line\\nbreak',
  'and\\/or',
  '#NAME?',
  '#REF!',
  '#WERT!',
  '#ÜBERLAUF!',
  '#DIV/0!',
  '#N/A',
  'Err:502',
  '#¡REF!',
  '#¿NOMBRE?',
  '#ЗНАЧ!',
  '#N/D',
  '#I/T',
  '#Н/Д',
  '#NV',
  '#GETTING_DATA',
  '#REF',
  '#HIÁNYZIK',
  '#YOK',
  '#名前?',
  '#SAYI/0!',
  "L''adresse",
  "L\\\\'adresse",
  'Caf\\xe9',
  'M=C3=BCnchen',
  'First_x000D_',
  '[object Object]',
  'NaN',
  'undefined',
  '&hellip;',
  '<<<<<<< HEAD',
  '||||||| 1a2b3c',
  '>>>>>>> branch',
  'MÃŒnchen',
  'GerÃ€t',
  'cafÃ© MÃŒnchen',
  'M%25C3%25BCnchen',
  'MĂĽnchen',
  'M├╝nchen',
  'Ξ•Ξ»Ξ»Ξ¬Ξ΄Ξ±',
  '\\ud83d',
  'Name \\udc00 ok',
  '&#55357;',
  'ï¿½',
])('what a program left in a text gets a warning: %s', (text) => {
  expect(codesOf(text)).toEqual(['wrongEncoding']);
});

test.each([
  'AT&T; Verizon',
  'Rock & Roll;',
  'Rock&Roll;',
  'A&B;C',
  '#1',
  '#NAME',
  '#SALE!',
  '#VIP!',
  '#QUIZ?',
  '#A/C',
  'Who is #1?',
  '#LIVE! now',
  'N/A',
  'Err: none',
  'C:\\new\\table',
  'D:\\Temp',
  '\\o/',
  '¯\\_(ツ)_/¯',
  '6\' 2"',
  'a\\b',
  'yes\\no',
  'http\\nginx',
  'Choose \\/',
  'null',
  'Müller\\Nord',
  '50% off',
  '%20 more',
  '<none>',
  'T-shirt <S>',
  '1 < 2 > 0',
  '<3',
  '#NVIDIA',
  '#OK',
  '#N',
  'A/C',
  'N/D: none',
  'Err:',
  '#: 502',
  "Rock 'n' Roll",
  "L'adresse d'Élise",
  "6''",
  "5'' x 7''",
  "''Hi''",
  'E=MC2',
  'A=B=C',
  'CO=C3',
  'F=BA',
  'C:\\xampp',
  'D:\\xfe',
  'x_000D',
  '[object]',
  'Nan',
  'NaN-o-tech',
  '=======',
  '<<< back',
  '||',
  '>>>>>>>>more',
  '5×½ & “Å”',
  'ÚŽASNÝ',
  'C:\\Users\\Uabcd',
  '\\U0001',
  '\\u{110000}',
  '\\UFFFFFFFF',
  '%20 indirim',
  '«MAÇÃ»',
  'BLÅ–GUL',
  'MAÇÃ – BANANA',
  'MANHÃ–TARDE',
  'IRMÃ’S',
  '√½ Liter',
  'Summer&Spring;',
  '#AD!',
  '√π',
  '├── menu',
  'СОСИСКА',
  'СССР',
  'ΞΟΞΟΞΟ',
])('an ordinary text gets no warning: %s', (text) => {
  expect(codesOf(text)).toEqual([]);
});

test.each([
  ['Ã–FFNUNGSZEITEN', 'ÖFFNUNGSZEITEN'],
  ['BESTÃ„TIGEN', 'BESTÄTIGEN'],
  ['ESPAÃ‘A', 'ESPAÑA'],
  ['DIRECCIÃ“N', 'DIRECCIÓN'],
  ['MÃœNCHEN', 'MÜNCHEN'],
  ['NÂ° 5', 'N° 5'],
  ['MarkeÂ®', 'Marke®'],
])('capital letters and signs are known, too: %s', (text, right) => {
  expect(decodedText(text)).toBe(right);
});

test('any text is checked, however much of an escape it has', () => {
  const part = fc.constantFrom(
    '\\',
    'u',
    'U',
    '{',
    '}',
    '0001',
    'd83d',
    '10ffff',
    'x41',
    'n',
    '%',
    'C3',
    'BC',
    '&#',
    '55357',
    ';',
    'Ã',
    '\ud83d',
    '\udc00',
    '\ufffd',
    '"',
    "'",
    ' ',
    '<',
    'br',
    '>',
    '√',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      for (const { message } of warningsOn({ fieldType: 'text', fieldName: parts.join('') })) {
        expect(message.length).toBeLessThan(400);
        expect(message).not.toContain(`write ${JSON.stringify(parts.join(''))}`);
      }
    }),
    { numRuns: runs(2000) },
  );
});

test('a long text is quoted where it is wrong', () => {
  const long = 'x'.repeat(120);
  const messageOf = (fieldName: string) =>
    warningsOn({ fieldType: 'text', fieldName })
      .map(({ message }) => message)
      .join();
  expect(messageOf(`${long} StraÃŸe 1`)).toContain('…"xxxxxxxxxxxxxxx Straße 1"');
  expect(messageOf(`${long} Stra\ufffde 1`)).toContain('…xxxxxxxxxxxxxxx Stra\ufffde 1');
  expect(messageOf(`${long} b\u200bc ${long}`)).toContain('write …"xxxxxxxxxxxxxxxxxx bc xxxx');
});

test('no text of one language is taken for another encoding', () => {
  const letters = ['A-Za-zÀ-ÖØ-öø-ž', 'Α-ώ', 'Ѐ-ґ', 'א-ת', '؀-ي', 'ก-๙', '一-龯ぁ-ヿ', '가-힣'];
  const language = fc.constantFrom(...letters).chain((range) => {
    const one = fc.stringMatching(new RegExp(`^[${range}]$`, 'u'));
    const end = fc.constantFrom('', '…', '”', '’', '.', '!', '®', '€');
    const word = fc.tuple(fc.array(one, { minLength: 1, maxLength: 8 }), end);
    return word.map(([word, mark]) => `${word.join('').toLowerCase()}${mark}`);
  });
  fc.assert(
    fc.property(language, (word) => {
      expect(decodedText(word)).toBe(word);
    }),
    { numRuns: runs(1000) },
  );
});

const INVISIBLE = [
  '\t',
  '\r',
  '\n',
  '\r\n',
  '\0',
  '\u007f',
  '\u0085',
  '\u00ad',
  '\u034f',
  '\u115f',
  '\u180e',
  '\u200b',
  '\u200c',
  '\u200d',
  '\u200e',
  '\u202e',
  '\u2028',
  '\u2060',
  '\u2800',
  '\u3164',
  '\ufe0f',
  '\ufeff',
  '\ufff9',
  '\u{e0020}',
  '\u00a0',
  '\u2003',
  '\u202f',
  '\u3000',
];

test.each(['', '\u200f', '\u200e\u202e', '\u061c ', '\u115f\u1160', ...INVISIBLE])(
  'a text is blank if nobody sees anything of it: %j',
  (text) => {
    expect(isBlank(text)).toBe(true);
    expect(codesOf(text)).toEqual(['empty']);
    expect(isBlank(`א${text}`)).toBe(false);
  },
);

test('what nobody sees is found wherever it is in a text, shown escaped, and left out', () => {
  const part = fc.stringMatching(/^[a-zé]{2,9}$/);
  const found = fc.constantFrom(...INVISIBLE, ' ');
  fc.assert(
    fc.property(
      part,
      found,
      part,
      fc.constantFrom('start', 'end', 'inside'),
      (a, one, b, where) => {
        fc.pre(where !== 'inside' || one !== ' ');
        const broken =
          where === 'inside' ? `${a}${one}${b}` : where === 'end' ? `${a}${one}` : `${one}${a}`;
        expect(invisibleIn(broken)).toContain(where === 'start' ? `${one === ' ' ? ' ' : 'u'}` : a);
        expect(escapeInvisible(broken)).toMatch(/^[ -~é]+$/);
        expect([a, `${a}${b}`, `${a} ${b}`]).toContain(withoutInvisible(broken));
        expect(invisibleIn(withoutInvisible(broken))).toBeUndefined();
      },
    ),
  );
});
