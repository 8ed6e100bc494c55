import { conflictMarkerIn } from './file-text.ts';

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
const UNICODE_ESCAPES = /(?:\\u[\da-f]{4})+/gi;
/** A quotation mark that a programming language escapes. */
const ESCAPED_QUOTE = /\\+(?=['"])/g;

/** Returns a text as people read it, if it was stored in another form. Any other stays as it is. */
export function decodedText(text: string): string {
  return misread(
    text
      .replaceAll(ENTITY, entity)
      .replaceAll(PERCENT, percentEncoded)
      .replaceAll(UNICODE_ESCAPES, (escapes) => JSON.parse(`"${escapes}"`))
      .replaceAll(ESCAPED_QUOTE, ''),
  );
}

function entity(all: string, decimal: string, hexadecimal: string, name: string): string {
  if (name !== undefined) return ENTITIES.get(name) ?? all;
  const code = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal);
  return code > 31 && code <= 0x10ffff ? String.fromCodePoint(code) : all;
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

/**
 * What a program left in a text and nobody can decode: an entity of HTML, the error of a
 * spreadsheet in any language, what programmers write for a line break, an apostrophe or a byte, or
 * the value of a program in place of its text.
 */
const LEFT_OVER = new RegExp(
  [
    '&[A-Za-z]\\w{1,30};',
    '^#(?:[¡¿]?[\\p{Lu}/0]+[!?]|\\p{Lu}/\\p{Lu}|NV|GETTING_DATA)$|^Err:\\d{3}$',
    '(?<!:\\S*)\\\\(?:[nrt](?=[\\s\\p{Lu}]|$)|x[\\da-f]{2})|_x000[9AD]_',
    "(?<=\\p{L})''(?=\\p{L})|=[C-F][\\dA-F]=[89AB][\\dA-F]",
    '^(?:\\[object Object\\]|NaN)$',
  ].join('|'),
  'u',
);

/** Returns the first part of a text that a program left in it; undefined if there is none. */
export function leftOverIn(text: string): string | undefined {
  return LEFT_OVER.exec(text)?.[0] ?? conflictMarkerIn(text, () => true)?.sign;
}

/** A tag that ends, has an attribute, or stands alone. `<none>` and `<S>` are text. */
const MARKUP =
  /<!--|<\/[a-z]\w*\s*>|<[a-z]\w*\s+[\w-]+\s*=[^<>]*>|<[a-z]\w*\s*\/>|<(?:br|hr|li|p)>/i;
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

/** Whether a run of characters was read wrongly, by what it is and what is around it. */
type IsCertain = (run: string, decoded: string, before: string, after: string) => boolean;

const ENCODINGS: Readonly<Record<string, IsCertain>> = {
  'windows-1252': isCertainInWindows1252,
  macintosh: (run, decoded, before, after) =>
    /^[√‚]/.test(run) && /^[\p{Script=Latin}\p{P}]/u.test(decoded) && isInWord(before, after),
  'windows-1251': (_, decoded) => /^\p{Script=Cyrillic}{3,}$/u.test(decoded),
};

function misread(text: string): string {
  for (const [encoding, isCertain] of Object.entries(ENCODINGS)) {
    let isMisread = false;
    let decoded = '';
    let end = 0;
    for (const { at, run, utf8 } of runsOf(text, encoding)) {
      const after = text.slice(at + run.length, at + run.length + NEAR);
      isMisread ||= isCertain(run, utf8, beginningAt(text, at), after);
      decoded += text.slice(end, at) + utf8;
      end = at + run.length;
    }
    if (isMisread) return decoded + text.slice(end);
  }
  return text;
}

/** As many units beside a place tell what is there: two letters. */
const NEAR = 4;

function beginningAt(text: string, at: number): string {
  return text.slice(Math.max(0, at - NEAR), at);
}

function isCertainInWindows1252(...[run, decoded, before, after]: Parameters<IsCertain>): boolean {
  if (WORD.test(decoded) || /^(?:\p{Emoji_Presentation}|\ufeff)/u.test(decoded)) return true;
  if (/^â[€‚„†ˆ˜œ\x80-\x9f]/.test(run)) return true;
  if (!/^[ÂÃÄÅ]/.test(run) || /^[\x80-\x9f]/.test(decoded)) return false;
  if (decoded.length > 1 || !AFTER_LETTER.test(run)) return true;
  const isInCapitals = /\p{Lu}{2}$/u.test(before);
  return /^(?:Â|Ã\u00a0)/.test(run) && !/[\p{L}«„“‘‚]$/u.test(before)
    ? true
    : !run.startsWith('Â') && isInWord(before, after) && !isInCapitals;
}

function isInWord(before: string, after: string): boolean {
  return /\p{Ll}$/u.test(before) || /^\p{Ll}/u.test(after);
}

/** The bytes from 0x80 on, by the characters as which an encoding reads them. */
const bytesOf = new Map<string, ReadonlyMap<string, number>>();

function readBytes(encoding: string): ReadonlyMap<string, number> {
  const decoder = new TextDecoder(encoding);
  const all = Array.from({ length: 128 }, (_, at) => 128 + at);
  return new Map([
    ...all.map((byte) => [String.fromCharCode(byte), byte] as const).slice(0, 32),
    ...all.map((byte) => [decoder.decode(Uint8Array.of(byte)), byte] as const),
  ]);
}

/** Finds characters that are UTF-8 in an encoding, each with those next to it. */
function runsOf(text: string, encoding: string) {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return [...text.matchAll(BEYOND_ASCII)].flatMap(({ index, 0: found }) => {
    const bytes = bytesOf.get(encoding) ?? readBytes(encoding);
    bytesOf.set(encoding, bytes);
    const latin = found.replaceAll(/[\s\S]/g, (one) => String.fromCharCode(bytes.get(one) ?? 0));
    return [...latin.matchAll(UTF_8)].map(({ index: start, 0: { length } }) => ({
      at: index + start,
      run: found.slice(start, start + length),
      utf8: decoder.decode(Uint8Array.from(latin.slice(start, start + length), codeOf)),
    }));
  });
}

const codeOf = (character: string) => character.charCodeAt(0);
