import * as v from 'valibot';

const TWO_UNITS = /[\u{10000}-\u{10ffff}]/gu;

/** How many code points a string has. It makes no array of them, which would be most of the work of checking a short string. */
export function codePointsOf(value: string): number {
  return value.length - (value.match(TWO_UNITS)?.length ?? 0);
}

/**
 * Checks the length of a string in code points, as JSON Schema counts `minLength` and `maxLength`: an emoji is one
 * character. The OpenAPI document reads the bounds from the action.
 */
export function codePoints(min: number, max: number) {
  const check = v.check((value: string) => {
    const length = codePointsOf(value);
    return min <= length && length <= max;
  }, `must have ${min} to ${max} characters`);
  return { ...check, type: 'code_points', min, max } as const;
}

/**
 * The rules for every string of a request: well-formed Unicode (a lone surrogate cannot be stored), no control characters,
 * and `min` to `max` characters.
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

/** The schema of a string of a request, `min` to `max` characters long. */
export function text(min: number, max: number) {
  return v.pipe(v.string('must be a string'), ...characters(min, max));
}
