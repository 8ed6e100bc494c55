import * as v from 'valibot';

/**
 * Text as requests carry it: well-formed Unicode (a lone surrogate cannot be stored), free of control characters, and
 * `min` to `max` characters long, counted in code points as JSON Schema counts `minLength` and `maxLength`.
 */
export function text(min: number, max: number) {
  return v.pipe(
    v.string('must be text'),
    v.check(
      (value) => value.isWellFormed() && !/\p{Cc}/u.test(value),
      'must not contain control characters or lone surrogates',
    ),
    v.check((value) => {
      const { length } = Array.from(value);
      return min <= length && length <= max;
    }, `must have ${min} to ${max} characters`),
  );
}
