import { excerpt, INVISIBLE, parsedOnUse } from './text.ts';

/*
 * Characters that nobody sees. Many scripts need some of them: those in their places are no
 * mistake. https://www.unicode.org/reports/tr31/#Layout_and_Format_Control_Characters
 */

/** A letter or mark of a script whose letters invisible characters join or vary. */
const LETTER =
  '(?![\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}\\p{Script=Inherited}])[\\p{L}\\p{M}]';
/** Scripts that write no spaces between words. */
const UNSPACED = [
  'Thai',
  'Lao',
  'Khmer',
  'Myanmar',
  'Tibetan',
  'Javanese',
  'Balinese',
  'Sundanese',
  'Tai_Tham',
  'Tai_Le',
  'New_Tai_Lue',
  'Cham',
]
  .map((script) => `\\p{Script=${script}}`)
  .join('');
const WIDE =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\u3001-\\u303f\\uff01-\\uffef';
/** The blocks of scripts that are written from right to left. */
const FROM_RIGHT =
  '\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}';
const DIRECTION = '[\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]';
const NARROW = '[\\u00a0\\u2000-\\u200a\\u202f\\u205f]';
const VARIATION = '[\\u180b-\\u180f\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}\\u034f]';

const IN_PLACE = [
  // Joiners, as in Persian, Hindi and emoji, and the kinds of a letter or an emoji.
  `(?<=${LETTER})[\\u200c\\u200d](?=${LETTER})`,
  `(?<=(?!\\p{Script=Inherited})\\p{M})[\\u200c\\u200d]`,
  '(?<=\\p{Script=Arabic})\\u200d|\\u200d(?=\\p{Script=Arabic})',
  '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=\\p{Extended_Pictographic})',
  `(?<=[\\p{Emoji}\\p{P}\\p{S}]|${LETTER})${VARIATION}`,
  '(?<=\\u{1f3f4}[\\u{e0020}-\\u{e007f}]{0,9})[\\u{e0020}-\\u{e007f}]',
  // Typographers keep together `10 %`, `« Oui »` and `w domu`.
  `(?<=[\\p{P}\\p{S}\\p{N}])${NARROW}(?=\\S)|(?<=\\S)${NARROW}(?=[\\p{P}\\p{S}\\p{N}])`,
  `(?<=(?<![\\p{L}\\p{M}])\\p{L})${NARROW}(?=\\S)|(?<=\\S)${NARROW}(?=\\p{L}(?![\\p{L}\\p{M}]))`,
  '(?<=\\p{Script=Mongolian})\\u202f',
  `(?<=[${WIDE}])\\u3000(?=\\S)|(?<=\\S)\\u3000(?=[${WIDE}])`,
  `(?<=[${UNSPACED}])\\u200b(?=[${UNSPACED}])`,
  '(?<=[\\u1100-\\u11ff])\\u1160|\\u115f(?=[\\u1160-\\u11ff])',
  '(?<=[\\u2801-\\u28ff])\\u2800(?=\\S)|\\u2800(?=[\\u2801-\\u28ff])',
];
const UNSEEN = `\\p{Cc}\\p{Z}${INVISIBLE}`;
const unseen = parsedOnUse(`^[${UNSEEN}]*$`, 'u');
/** At an end, a space is one too. */
const BLANK = `^ +|(?<! ) +$|(?! )[${UNSEEN}]`;
const blank = parsedOnUse(BLANK, 'u');
const finding = (inPlace: readonly string[]) =>
  parsedOnUse(`(?:${inPlace.join('|')})|(?<wrong>${BLANK})`, 'gsu');
/** Most texts have none of these characters, and to parse these sets takes 10 ms. */
const found = finding(IN_PLACE);
/** Marks of direction are useless only if all letters go from left to right. */
const foundWithDirection = finding([DIRECTION, ...IN_PLACE]);
const hasDirection = parsedOnUse(`[${FROM_RIGHT}]|^\\P{L}*$`, 'su');

function foundIn(text: string): RegExp {
  return hasDirection().test(text) ? foundWithDirection() : found();
}

/**
 * Finds characters that nobody sees where no script needs them, such as a space at an end.
 *
 * @returns the part of the text with the first of them, escaped and in quotes; undefined if there
 *   are none.
 */
export function invisibleIn(text: string): string | undefined {
  const first = wrongIn(text).at(0);
  if (!first) return undefined;
  const end = first.index + first[0].length;
  return excerpt(text, first.index, end, (part) =>
    JSON.stringify(escapeInvisible(part)).replaceAll('\\\\u', '\\u'),
  );
}

/** Writes characters that nobody sees as `\\u200b`. Others, and spaces, stay. */
export function escapeInvisible(text: string): string {
  return replaceInvisible(text, (found) =>
    found.replaceAll(/[^ ]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}

/** Returns a text as it was meant: without characters that nobody sees, and with plain spaces. */
export function withoutInvisible(text: string): string {
  if (!blank().test(text)) return text;
  const spaced = replaceInvisible(text, (found) => (/[\p{Z}\t-\r]/u.test(found) ? ' ' : ''));
  return spaced.replaceAll(/ +/g, ' ').trim();
}

/** True if nobody sees anything of a text. Alone, marks of direction are no text either. */
export function isBlank(text: string): boolean {
  return unseen().test(text);
}

function wrongIn(text: string): RegExpExecArray[] {
  if (!blank().test(text)) return [];
  return [...text.matchAll(foundIn(text))].filter(({ groups }) => groups?.wrong !== undefined);
}

function replaceInvisible(text: string, replace: (found: string) => string): string {
  if (!blank().test(text)) return text;
  return text.replaceAll(foundIn(text), (found, ...rest) =>
    rest.at(-1).wrong === undefined ? found : replace(found),
  );
}
