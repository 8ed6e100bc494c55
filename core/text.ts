import * as v from 'valibot';

const TWO_UNITS = /[\u{10000}-\u{10ffff}]/gu;

/** How many code points a text has: without an array of them, which is most of the work of checking a short text. */
export function codePointsOf(value: string): number {
  return value.length - (value.match(TWO_UNITS)?.length ?? 0);
}

/**
 * Checks the length of a text in code points, as JSON Schema counts `minLength` and `maxLength`: an emoji is one
 * character. The bounds can be read from the action, for the OpenAPI document.
 */
export function codePoints(min: number, max: number) {
  const check = v.check((value: string) => {
    const length = codePointsOf(value);
    return min <= length && length <= max;
  }, `must have ${min} to ${max} characters`);
  return { ...check, type: 'code_points', min, max } as const;
}

/**
 * What holds for every text of a request: well-formed Unicode (a lone surrogate cannot be stored), free of control
 * characters, and `min` to `max` characters long.
 */
export function characters(min: number, max: number) {
  return [
    v.check(
      (value: string) => value.isWellFormed() && !/\p{Cc}/u.test(value),
      'must not contain control characters or lone surrogates',
    ),
    codePoints(min, max),
  ] as const;
}

/** A text of a request. */
export function text(min: number, max: number) {
  return v.pipe(v.string('must be text'), ...characters(min, max));
}
