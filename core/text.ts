import * as v from 'valibot';
import { lazily } from './lazily.ts';

/** The pattern of a UUID (RFC 9562), without case. */
export const UUID = String.raw`[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}`;

const TWO_UNITS = /[\u{10000}-\u{10ffff}]/gu;

/** Counts code points without an array of them, which would be most of the work. */
export function codePointsOf(value: string): number {
  return value.length - (value.match(TWO_UNITS)?.length ?? 0);
}

/**
 * Checks a length in code points, as JSON Schema's `minLength` and `maxLength` do: an emoji is one
 * character. The OpenAPI document reads the bounds from the action.
 */
export function codePoints(min: number, max: number) {
  const check = v.check((value: string) => {
    const length = codePointsOf(value);
    return min <= length && length <= max;
  }, `must have ${min} to ${max} characters`);
  return { ...check, type: 'code_points', min, max } as const;
}

// Patterns go into the OpenAPI document, for regex engines of several languages. Plain ranges mean
// the same in all of them, unlike \p{Cc} and \s.
const CONTROL = '\\u0000-\\u001F\\u007F-\\u009F';
/** Stands for bytes that are not UTF-8 in a string that somebody else has decoded. */
const REPLACEMENT = '\uFFFD';
/**
 * Characters that nobody sees, besides spaces and control characters, for a class of a `RegExp`:
 * what Unicode calls ignorable, anchors of annotations and objects, which dictation leaves in a
 * text, and the empty pattern of Braille.
 * https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point
 */
export const INVISIBLE = '\\p{Default_Ignorable_Code_Point}\\ufff9-\\ufffc\\u2800';
/**
 * The characters that `trimmed` removes, apart from control characters, and those that alone are no
 * text, up to U+FFFF.
 */
const UNSEEN =
  ' \\u00A0\\u00AD\\u034F\\u061C\\u115F\\u1160\\u1680\\u17B4\\u17B5\\u180B-\\u180F\\u2000-\\u200F\\u2028-\\u202F\\u205F-\\u206F\\u2800\\u3000\\u3164\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF0-\\uFFFC';

const NO_CONTROL_CHARACTERS = `^[^${CONTROL}]*$`;
/** Characters that no string of a request has: control characters, and U+FFFD. */
export const NOT_SENT = `${CONTROL}\\uFFFD`;

/**
 * Matches strings of a request that are not empty after `trimmed`. It describes the untrimmed
 * string, and is stricter than `trimmed`, which also removes tabs and line breaks.
 */
export const NOT_BLANK = `^[^${NOT_SENT}]*[^${NOT_SENT}${UNSEEN}][^${NOT_SENT}]*$`;

/** Returns a `RegExp` that is parsed when it is first used: sets of Unicode take a start time. */
export function parsedOnUse(source: string, flags: string): () => RegExp {
  return lazily(() => new RegExp(source, flags));
}

const unseen = parsedOnUse(`^[\\s${INVISIBLE}]$`, 'u');
/** Characters that can be the last of an emoji, such as the flag of Scotland. */
const endsEmoji = parsedOnUse('^[\\p{Variation_Selector}\\u{e0020}-\\u{e007f}]$', 'u');
/** Most codes: they need no set of Unicode. */
const TRIMMED_ASCII = /^[!-~](?:[ -~]*[!-~])?$/;

/**
 * Removes spaces and other characters that nobody sees around a text, such as a zero-width space
 * that was copied with it. What can belong to an emoji stays, unless the text is nothing else.
 */
export function trimmed(value: string): string {
  if (TRIMMED_ASCII.test(value)) return value;
  const all = [...value];
  const seen = all.map((character) => !unseen().test(character));
  if (!seen.includes(true)) return '';
  const isKept = (character: string, index: number) => seen[index] || endsEmoji().test(character);
  return all.slice(all.findIndex(isKept), all.findLastIndex(isKept) + 1).join('');
}

const noControlCharacters = new RegExp(NO_CONTROL_CHARACTERS);

/**
 * The rules for strings that are stored: well-formed Unicode (a lone surrogate cannot be stored),
 * no control characters, and `min` to `max` characters.
 */
export function storable(min: number, max: number) {
  return [
    v.check(
      (value: string) => value.isWellFormed() && noControlCharacters.test(value),
      'must not contain control characters or lone surrogates',
    ),
    codePoints(min, max),
  ] as const;
}

/**
 * Refuses a string that was not sent in UTF-8. API Gateway replaces other bytes before a function
 * sees them, and two values would become one.
 */
export function sentInUtf8() {
  return v.check(
    (value: string) => !value.includes(REPLACEMENT),
    'contains U+FFFD, which replaces bytes that are not UTF-8',
  );
}

/**
 * The rules for all strings of a request's body. The OpenAPI document takes the pattern from the
 * metadata; a schema can override it.
 */
export function characters(min: number, max: number) {
  return [
    ...storable(min, max),
    sentInUtf8(),
    v.metadata<string, { pattern: string }>({ pattern: `^[^${NOT_SENT}]*$` }),
  ] as const;
}

/** The schema of the value of a header, up to `max` characters long. */
export function headerText(max: number) {
  return v.pipe(
    v.string(),
    // Those that arrive as they were sent are accepted too: a lost promo code is worse.
    v.check(
      (value) => noControlCharacters.test(value),
      'must have printable ASCII characters only',
    ),
    codePoints(1, max),
    v.metadata({ pattern: NO_CONTROL_CHARACTERS }),
  );
}

/** The schema of a string of a request's body, `min` to `max` characters long. */
export function text(min: number, max: number) {
  return v.pipe(v.string('must be a string'), ...characters(min, max));
}

/** Writes a number with its noun: `1 message`, `2 messages`. */
export function counted(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

/** Cuts text to `maxCharacters` UTF-16 units, and adds an ellipsis. */
export function shortened(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  // No half of a character.
  return `${text.slice(0, maxCharacters).replace(/[\ud800-\udbff]$/, '')}…`;
}
