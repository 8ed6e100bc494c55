import * as v from 'valibot';

/* The kinds of values of settings. Messages tell what is allowed. */

/** A setting with its description in `stages/schema.json`. */
export function described<const TSchema extends v.GenericSchema>(
  description: string,
  schema: TSchema,
) {
  return v.pipe(schema, v.description(description));
}

export function flag() {
  return v.boolean('must be true or false');
}

/** An integer within inclusive bounds. */
export function integer(min: number, max: number) {
  const expected = `must be an integer from ${min} to ${max}`;
  return v.pipe(
    v.number(expected),
    v.integer(expected),
    v.minValue(min, expected),
    v.maxValue(max, expected),
  );
}

/** A string that matches a pattern. `expected` says what is allowed: `must be a domain name`. */
export function matching(pattern: RegExp, expected: string) {
  return v.pipe(v.string(expected), v.regex(pattern, expected));
}

/** A part of an e-mail address before the @, between two periods. */
const ATOM = "[\\w!#$%&'*+/=?^`{|}~-]+";
/** A part of a host name. */
const LABEL = '[a-zA-Z\\d]+(?:-+[a-zA-Z\\d]+)*';

/** Matches e-mail addresses to which AWS sends: without quotes, comments or other scripts. */
export const ADDRESS = RegExp(
  `${ATOM}(?:\\.${ATOM})*@(?:${LABEL}\\.)+[a-zA-Z](?:[a-zA-Z\\d-]*[a-zA-Z])?`,
);

/** A list that is not empty, without duplicates. */
export function listOf<TSchema extends v.GenericSchema>(item: TSchema, expected: string) {
  return v.pipe(
    v.array(item, expected),
    v.minLength(1, expected),
    v.checkItems(isFirst, 'must not be repeated'),
  );
}

const firsts = new WeakMap<object, Map<unknown, number>>();

/** Lists can have thousands of items, so the places of all are looked up once. */
function isFirst<TItem>(item: TItem, index: number, items: readonly TItem[]): boolean {
  const places =
    firsts.get(items) ?? new Map(items.map((one, place) => [one, place] as const).reverse());
  firsts.set(items, places);
  return places.get(item) === index;
}

/** An object with optional properties of the given names, all of the same kind. */
export function objectOf<TSchema extends v.GenericSchema>(
  names: readonly string[],
  value: TSchema,
) {
  return v.strictObject(Object.fromEntries(names.map((name) => [name, v.optional(value)])));
}
