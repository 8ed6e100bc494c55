import { conflictMarkerIn } from './file-text.ts';
import { SPREADSHEET_ERROR } from './spreadsheet-errors.ts';
import { excerpt, onUse, parsedOnUse } from './text.ts';

/*
 * Texts that were stored as some program writes them, and not as people read them: `MÃ¼nchen`,
 * `&atilde;`, `M%C3%BCnchen`, `M\u00fcnchen`, `L\'adresse`, `#NAME?`.
 */

/** The entities of XML, and the one that editors write for a space. */
const ENTITIES = new Map(
  Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }),
);
const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]\w{1,30}));/gi;
const PERCENT = /(?:%[\da-f]{2})+/gi;
/** As JSON, JavaScript and Python write characters. */
const ESCAPES = /\\u([\dA-Fa-f]{4})|\\u\{([\dA-Fa-f]{1,6})\}|\\U([\dA-Fa-f]{8})/g;
/** A quotation mark that a programming language escapes, or a slash in a word of JSON. */
const ESCAPED_SIGN = /(?<!\\)\\+(?=['"])|(?<=[^\s\\])\\(?=\/)/g;

/**
 * Returns a text as people read it, if it was stored in another form. Any other stays as it is.
 * Where the form has half of a character only, the result is not well-formed.
 */
export function decodedText(text: string): string {
  return misread(
    text
      .replaceAll(ENTITY, entity)
      .replaceAll(PERCENT, percentEncoded)
      .replaceAll(ESCAPES, (all, ...[short, braced, long]) => {
        return character(Number.parseInt(short ?? braced ?? long, 16)) ?? all;
      })
      .replaceAll(ESCAPED_SIGN, ''),
  );
}

function entity(all: string, decimal: string, hexadecimal: string, name: string): string {
  if (name !== undefined) return ENTITIES.get(name) ?? all;
  const code = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal);
  return (code > 31 && character(code)) || all;
}

function character(code: number): string | undefined {
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

/** `%20` between words, and characters beyond ASCII. `100%` and `%41` mean themselves. */
function percentEncoded(escapes: string, at: number, text: string): string {
  const isSpace = /\p{L}$/u.test(beginningAt(text, at)) && /^%20/.test(escapes);
  if (!isSpace && !/%[c-f]/i.test(escapes)) return escapes;
  try {
    return decodeURIComponent(escapes);
  } catch {
    return escapes;
  }
}

/** UTF-8 read as ISO 8859-15: as windows-1252, it has a capital letter in a word of small ones. */
const ISO_8859_15 = '(?:(?<=\\p{Ll})Ã[€ŠšŽžŒœ]|(?<=\\p{L})Ã[€ŠšŽžŒœ](?=\\p{Ll}))';
const isOfIso885915 = parsedOnUse(ISO_8859_15, 'u');

/** The sign of UTF-8 that was read in an old encoding, of which the text cannot be told. */
const OLD_ENCODINGS = [
  ISO_8859_15,
  // Windows-1250, 1251 and 1253.
  'Ă[ĄąĽľŁłŻżŹźŚśŠšŤťŽž¤§©®°±´µ¶·¸]',
  '(?:[РС][^\\x00-\\x7fА-я\\s]){3}',
  '(?:[ΞΟ][^\\x00-\\x7fΑ-Ωα-ω\\s]){3}',
  // Macintosh and DOS.
  '√[ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨ÆØ¥µªºæø]',
  '\\p{L}├[^\\s─]|├[^\\s─]\\p{L}',
];

/** Names of entities of HTML that programs write. In `Rock&Roll;`, there is none. */
const ENTITY_NAMES = [
  '[A-Za-z](?:acute|grave|circ|tilde|uml|cedil|caron|ogon|breve)|[AaUu]ring|[Oo]slash',
  '(?:AE|ae|OE|oe|sz)lig|circ|tilde|uml',
  '[lrsb][sd]quo|[lr]aquo|[mn]dash|hellip|bull|middot|amp|lt|gt|quot|apos|nbsp|shy|zwn?j',
  'euro|pound|yen|cent|copy|reg|trade|deg|times|ord[fm]|frac\\d+|sup\\d|iexcl|iquest',
];

/**
 * What a program left in a text and nobody can decode: an entity of HTML, the error of a
 * spreadsheet in any language, what programmers write for a line break, an apostrophe or a byte, or
 * the value of a program in place of its text.
 */
const LEFT_OVER = parsedOnUse(
  [
    `&(?:${ENTITY_NAMES.join('|')});`,
    SPREADSHEET_ERROR,
    // No word begins with n and another consonant, but for `ng` and `nh`.
    '(?<!\\S)[^\\s:\\\\]*\\\\n(?=[bcdfjklmpqrstvwxz]\\p{Ll})',
    '(?<!\\S)[^\\s:]*?\\\\(?:[nrt](?=[\\s\\p{Lu}]|$)|x[\\da-f]{2})|_x000[9AD]_',
    "(?<=\\p{L})''(?=\\p{L})|=[C-F][\\dA-F]=[89AB][\\dA-F]|%25[C-F][\\dA-F]%25[89AB][\\dA-F]",
    '^(?:\\[object Object\\]|NaN|undefined)$',
    ...OLD_ENCODINGS,
  ].join('|'),
  'u',
);

/** Returns the place of what a program left in a text; undefined if there is nothing. */
export function leftOverIn(text: string): string | undefined {
  const found = LEFT_OVER().exec(text);
  if (!found) return conflictMarkerIn(text, () => true)?.sign;
  const end = found.index + found[0].length;
  return excerpt(text, end - 1, end);
}

/** A tag that ends, has an attribute, or stands alone. `<none>` and `<S>` are text. */
const MARKUP =
  /<!--|<\/[a-z]\w*\s*>|<[a-z]\w*\s+[\w-]+\s*=[^<>]*>|<[a-z]\w*\s*\/>|<(?:br|div|hr|img|li|p|span)\s*>/i;
const ANY_TAG = /<!--(?:(?!<!--).)*?-->|<\/?[a-z]\w*(?:\s[^<>]*)?\/?>|<!--/gis;

/** Returns a text without tags of HTML; undefined if it has none. */
export function withoutMarkup(text: string): string | undefined {
  if (!MARKUP.test(text)) return undefined;
  const plain = text.replaceAll(/<br\s*\/?>/gi, ' ').replaceAll(ANY_TAG, '');
  return plain.replaceAll(/ {2,}/g, ' ').trim();
}

/*
 * UTF-8 that was read in an old encoding: `Ã¼` is the two bytes of `ü` in windows-1252. Some
 * correct texts have such characters next to each other, as in `“Å”` or `ÚŽASNÝ`.
 */

/** What correct texts have after a capital letter. */
const AFTER_LETTER = /[‚„…‘’“”•–—™›\u00a0«»°²³·ºª®©]$/;
/** Alphabets whose words have two letters or more, each of several bytes. */
const ALPHABETS = ['Greek', 'Cyrillic', 'Hebrew', 'Arabic', 'Thai', 'Devanagari', 'Hangul'];
const WORD = new RegExp(
  `^(?:${[...ALPHABETS.map((name) => `\\p{Script=${name}}`), '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{P}]'].map((one) => `${one}{2,}`).join('|')})$`,
  'u',
);
// biome-ignore lint/suspicious/noControlCharactersInRegex: the last of ASCII
const BEYOND_ASCII = /[^\x00-\x7f]{2,}/g;
/** Bytes of UTF-8 as characters of the same number: lead bytes with those that continue them. */
const UTF_8 =
  /(?:[\xc2-\xdf][\x80-\xbf]|[\xe1-\xef][\x80-\xbf]{2}|\xe0[\xa0-\xbf][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2})+/g;

/** Decodes UTF-8 that was read as windows-1252. */
function misread(text: string): string {
  const runs = runsOf(text);
  const isKnown = runs.some((one) => isCertain(one, text));
  if (!isKnown || isOfIso885915().test(text)) return text;
  let decoded = '';
  let end = 0;
  for (const { at, run, utf8 } of runs) {
    decoded += text.slice(end, at) + utf8;
    end = at + run.length;
  }
  return decoded + text.slice(end);
}

/** As many units beside a place tell what is there: two letters. */
const NEAR = 4;

function beginningAt(text: string, at: number): string {
  return text.slice(Math.max(0, at - NEAR), at);
}

/** True for a run of characters that was read wrongly, by what it is and what is around it. */
function isCertain({ at, run, utf8 }: Run, text: string): boolean {
  const before = beginningAt(text, at);
  const after = text.slice(at + run.length, at + run.length + NEAR);
  if (WORD.test(utf8) || /^(?:\p{Emoji_Presentation}|[\ufeff\ufffd])/u.test(utf8)) return true;
  if (/^â[€‚„†ˆ˜œ\x80-\x9f]/.test(run)) return true;
  if (!/^[ÂÃÄÅ]/.test(run) || /^[\x80-\x9f]/.test(utf8)) return false;
  if (utf8.length > 1 || !AFTER_LETTER.test(run)) return true;
  const isInCapitals = /\p{Lu}{2}$/u.test(before);
  if (run.startsWith('Â')) {
    return !/[\p{L}«„“‘‚]$/u.test(before) || /(?:\p{Ll}|(?<!\p{L})N)$/u.test(before);
  }
  if (run === 'Ã\u00a0') return !/[\p{L}«„“‘‚]$/u.test(before);
  // Dashes and apostrophes can stand between words in capital letters.
  const mayEnd = /\p{L}$/u.test(before) ? /^Ã[^“‘„]/ : /^Ã[»«]/;
  if (run.startsWith('Ã') && !mayEnd.test(run) && /^\p{Lu}/u.test(after)) return true;
  return isInWord(before, after) && !isInCapitals;
}

function isInWord(before: string, after: string): boolean {
  return /\p{Ll}$/u.test(before) || /^\p{Ll}/u.test(after);
}

/** The bytes from 0x80 on, by the characters as which windows-1252 reads them. */
const bytes = onUse(() => {
  const decoder = new TextDecoder('windows-1252');
  const all = Array.from({ length: 128 }, (_, at) => 128 + at);
  return new Map([
    ...all.map((byte) => [String.fromCharCode(byte), byte] as const).slice(0, 32),
    ...all.map((byte) => [decoder.decode(Uint8Array.of(byte)), byte] as const),
  ]);
});

/** Characters that are UTF-8 in windows-1252, next to each other. */
interface Run {
  readonly at: number;
  readonly run: string;
  readonly utf8: string;
}

function runsOf(text: string): Run[] {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return [...text.matchAll(BEYOND_ASCII)].flatMap(({ index, 0: found }) => {
    const latin = found.replaceAll(/[\s\S]/g, (one) => String.fromCharCode(bytes().get(one) ?? 0));
    return [...latin.matchAll(UTF_8)].map(({ index: start, 0: { length } }) => ({
      at: index + start,
      run: found.slice(start, start + length),
      utf8: decoder.decode(Uint8Array.from(latin.slice(start, start + length), codeOf)),
    }));
  });
}

const codeOf = (character: string) => character.charCodeAt(0);
