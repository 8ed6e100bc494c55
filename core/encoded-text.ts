/*
 * Texts that were stored as some program writes them, and not as people read them: `MÃ¼nchen`,
 * `&atilde;`, `M%C3%BCnchen`, `M\u00fcnchen`.
 */

/** The entities of HTML from U+00A0. https://www.w3.org/TR/html401/sgml/entities.html */
const LATIN_ENTITIES = `nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn
  sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute
  Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde
  Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave
  aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth
  ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml`;
const OTHER_ENTITIES = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  euro: '€',
  trade: '™',
  bull: '•',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  sbquo: '‚',
  bdquo: '„',
  lsaquo: '‹',
  rsaquo: '›',
  OElig: 'Œ',
  oelig: 'œ',
  Scaron: 'Š',
  scaron: 'š',
  Yuml: 'Ÿ',
  zwnj: '\u200c',
  zwj: '\u200d',
  lrm: '\u200e',
  rlm: '\u200f',
};
const ENTITIES = new Map<string, string>([
  ...LATIN_ENTITIES.split(/\s+/).map((name, at) => [name, String.fromCharCode(160 + at)] as const),
  ...Object.entries(OTHER_ENTITIES),
]);

/** How often a text is decoded: some was encoded twice. */
const MOST_TIMES = 9;

/** Returns a text as people read it, if it was stored in another form. Any other stays as it is. */
export function decodedText(text: string): string {
  let decoded = text;
  for (let times = 0; times < MOST_TIMES; times++) {
    const before = decoded;
    decoded = misread(
      before
        .replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, entity)
        .replaceAll(/(?:%[\da-f]{2})+/gi, percentEncoded)
        .replaceAll(/(?:\\u[\da-f]{4})+/gi, (escapes) => JSON.parse(`"${escapes}"`)),
    );
    if (decoded === before) break;
  }
  return decoded;
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

const TAGS = [
  'abbr',
  'big',
  'blockquote',
  'body',
  'br',
  'center',
  'cite',
  'code',
  'del',
  'div',
  'em',
  'font',
  'h[1-6]',
  'head',
  'hr',
  'html',
  'iframe',
  'img',
  'ins',
  'kbd',
  'li',
  'mark',
  'ol',
  'pre',
  'samp',
  'script',
  'small',
  'span',
  'strike',
  'strong',
  'style',
  'sub',
  'sup',
  'svg',
  'table',
  'tbody',
  'td',
  'th',
  'thead',
  'tr',
  'tt',
  'ul',
  'wbr',
].join('|');
const tag = (names: string) =>
  new RegExp(`<!--|<(?:/(?:${names})|(?:${names})(?:\\s+[\\w-]+\\s*=[^<>]*)?)\\s*/?>`, 'gi');
/** `<S>` may be a size. */
const LETTER_TAG = /<[abipqsu](?:\s+[\w-]+\s*=[^<>]*)?>|<\/[abipqsu]>/;
const ANY_TAG = new RegExp(`<!--(?:(?!<!--).)*?-->|${tag(`[abipqsu]|${TAGS}`).source}`, 'gis');

/** Returns a text without tags of HTML; undefined if it has none. `<none>` and `<S>` are text. */
export function withoutMarkup(text: string): string | undefined {
  if (!text.includes('<') || !(LETTER_TAG.test(text) || text.search(tag(TAGS)) !== -1)) {
    return undefined;
  }
  const plain = text.replaceAll(/<br\s*\/?>/gi, ' ').replaceAll(ANY_TAG, '');
  return plain.replaceAll(/ {2,}/g, ' ').trim();
}

/*
 * UTF-8 that was read in an old encoding: `Ã¼` is the two bytes of `ü` in windows-1252. Some
 * correct texts have such characters next to each other, as in `“Å”` or `ÚŽASNÝ`.
 */

interface Encoding {
  readonly bytes: ReadonlyMap<string, number>;
  /** Whether one character that was read wrongly is enough: what it is, and what is around it. */
  readonly isCertain: (run: string, decoded: string, before: string, after: string) => boolean;
}

/** What correct texts have after a capital letter. */
const AFTER_LETTER = /[‚„…‘’“”•–—™›\u00a0«»°²³·ºª®©]$/;
/** Alphabets whose words have two letters or more, each of several bytes. */
const ALPHABETS = ['Greek', 'Cyrillic', 'Hebrew', 'Arabic', 'Thai', 'Devanagari', 'Hangul'];
const WORD = new RegExp(
  `^(?:${[...ALPHABETS.map((name) => `\\p{Script=${name}}`), '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{P}]'].map((one) => `${one}{2,}`).join('|')})$`,
  'u',
);

let encodings: readonly Encoding[] | undefined;

function misread(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: of ASCII, nothing was read wrongly
  if (/^[\x00-\x7f]*$/.test(text)) return text;
  encodings ??= [
    { bytes: bytesOf('windows-1252'), isCertain: isCertainInWindows1252 },
    {
      bytes: bytesOf('macintosh'),
      isCertain: (run, decoded, before, after) =>
        /^[√‚]/.test(run) && /^[\p{Script=Latin}\p{P}]/u.test(decoded) && isInWord(before, after),
    },
    {
      bytes: bytesOf('windows-1251'),
      isCertain: (_, decoded) => /^\p{Script=Cyrillic}{3,}$/u.test(decoded),
    },
  ];
  for (const { bytes, isCertain } of encodings) {
    let isMisread = false;
    let decoded = '';
    let end = 0;
    for (const { at, run, utf8 } of runsOf(text, bytes)) {
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

function isCertainInWindows1252(run: string, decoded: string, before: string, after: string) {
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
function bytesOf(encoding: string): ReadonlyMap<string, number> {
  const decoder = new TextDecoder(encoding);
  const bytes = Array.from({ length: 128 }, (_, at) => 128 + at);
  return new Map([
    ...bytes.map((byte) => [String.fromCharCode(byte), byte] as const).slice(0, 32),
    ...bytes.map((byte) => [decoder.decode(Uint8Array.of(byte)), byte] as const),
  ]);
}

/** Finds characters that are UTF-8 in an encoding, each with those next to it. */
function runsOf(text: string, bytes: Encoding['bytes']) {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return [...text.matchAll(BEYOND_ASCII)].flatMap(({ index, 0: found }) => {
    const latin = found.replaceAll(/[\s\S]/g, (one) => String.fromCharCode(bytes.get(one) ?? 0));
    return [...latin.matchAll(UTF_8)].map(({ index: start, 0: { length } }) => ({
      at: index + start,
      run: found.slice(start, start + length),
      utf8: decoder.decode(Uint8Array.from(latin.slice(start, start + length), codeOf)),
    }));
  });
}

const codeOf = (character: string) => character.charCodeAt(0);
// biome-ignore lint/suspicious/noControlCharactersInRegex: the last of ASCII
const BEYOND_ASCII = /[^\x00-\x7f]{2,}/g;
/** Bytes of UTF-8 as characters of the same number: lead bytes with those that continue them. */
const UTF_8 =
  /(?:[\xc2-\xdf][\x80-\xbf]|[\xe1-\xef][\x80-\xbf]{2}|\xe0[\xa0-\xbf][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2})+/g;
