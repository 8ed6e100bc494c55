import * as v from 'valibot';

/* The kinds of values that settings have. Each names what is allowed. */

/** A boolean. */
export function flag() {
  return v.boolean('must be true or false');
}

/** An integer between two bounds, which are allowed. */
export function integer(min: number, max: number) {
  const expected = `must be an integer from ${min} to ${max}`;
  return v.pipe(
    v.number(expected),
    v.integer(expected),
    v.minValue(min, expected),
    v.maxValue(max, expected),
  );
}

/**
 * A string with a pattern.
 *
 * @param expected what is allowed, such as `must be a domain name`.
 */
export function matching(pattern: RegExp, expected: string) {
  return v.pipe(v.string(expected), v.regex(pattern, expected));
}

/** A list of different values that is not empty. */
export function listOf<TSchema extends v.GenericSchema>(item: TSchema, expected: string) {
  return v.pipe(
    v.array(item, expected),
    v.minLength(1, expected),
    v.checkItems(isFirst, 'must not be repeated'),
  );
}

function isFirst<TItem>(item: TItem, index: number, items: readonly TItem[]): boolean {
  return items.indexOf(item) === index;
}

/** An object that may have each of the names, with the same kind of value. */
export function objectOf<TSchema extends v.GenericSchema>(
  names: readonly string[],
  value: TSchema,
) {
  return v.strictObject(Object.fromEntries(names.map((name) => [name, v.optional(value)])));
}
