import type * as v from 'valibot';
import { CLIENT_ATTRIBUTES } from '../client-attributes.ts';
import { Field, Option, SubField, TranslatedInput, Translation } from './field.ts';

const namesOf = (...schemas: readonly { readonly entries: v.ObjectEntries }[]) => [
  ...new Set(schemas.flatMap(({ entries }) => Object.keys(entries))),
];

export const INPUTS = ['subFieldA', 'subFieldB'] as const;

/** The attributes that the service knows: those of a client's item, and of the maps in it. */
export const ATTRIBUTES = {
  client: CLIENT_ATTRIBUTES,
  field: [...namesOf(...Field.options), 'translations'],
  input: namesOf(...SubField.options),
  option: namesOf(Option),
  translation: namesOf(Translation),
  translatedInput: namesOf(TranslatedInput),
} as const satisfies Record<string, readonly string[]>;

/** Returns the known attributes of a map. It can have a hundred thousand others. */
export function knownIn(
  map: Readonly<Record<string, unknown>>,
  known: readonly string[],
): Readonly<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const name of known) if (Object.hasOwn(map, name)) found[name] = map[name];
  return found;
}
