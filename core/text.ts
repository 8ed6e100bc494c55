import * as v from 'valibot';

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
export const CONTROL = '\\u0000-\\u001F\\u007F-\\u009F';
/** The characters that `String.prototype.trim` removes, apart from control characters. */
const SPACE = ' \\u00A0\\u1680\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000\\uFEFF';

const NO_CONTROL_CHARACTERS = `^[^${CONTROL}]*$`;

/**
 * Matches strings without control characters that are not empty after `trim`. It describes the
 * untrimmed string, and is stricter than `trim`, which also removes tabs and line breaks.
 */
export const NOT_BLANK = `^[^${CONTROL}]*[^${CONTROL}${SPACE}][^${CONTROL}]*$`;

const noControlCharacters = new RegExp(NO_CONTROL_CHARACTERS);

/**
 * The rules for all strings of a request: well-formed Unicode (a lone surrogate cannot be stored),
 * no control characters, and `min` to `max` characters. The OpenAPI document takes the pattern from
 * the metadata; a schema can override it.
 */
export function characters(min: number, max: number) {
  return [
    v.check(
      (value: string) => value.isWellFormed() && noControlCharacters.test(value),
      'must not contain control characters or lone surrogates',
    ),
    codePoints(min, max),
    v.metadata<string, { pattern: string }>({ pattern: NO_CONTROL_CHARACTERS }),
  ] as const;
}

/** The schema of a string of a request, `min` to `max` characters long. */
export function text(min: number, max: number) {
  return v.pipe(v.string('must be a string'), ...characters(min, max));
}

/** Writes a number with its noun: `1 message`, `2 messages`. */
export function counted(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

/**
 * Characters that a terminal or an editor interprets: control characters, line separators, and
 * those that change the direction of text or its encoding.
 * https://www.unicode.org/reports/tr36/#Bidirectional_Text_Spoofing
 */
const INTERPRETED =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is about
  /[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/g;

/** Escapes what a terminal interprets, as in `\\u001b`. `JSON.stringify`'s JSON keeps its value. */
export function printable(text: string): string {
  return text.replace(
    INTERPRETED,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Escapes each line of a text, as `printable` does. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}

/** True for text in the quotes of a word processor, which belong to the text. */
export function isInCurlyQuotes(text: string): boolean {
  return /^[“”„‘’‚].*[“”‘’]$/s.test(text);
}

/** Removes the quotes of a word processor around text. */
export function withoutCurlyQuotes(text: string): string {
  return isInCurlyQuotes(text) ? text.slice(1, -1) : text;
}

/** Cuts text to `maxCharacters` UTF-16 units, and adds an ellipsis. */
export function shortened(text: string, maxCharacters: number): string {
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text;
}
