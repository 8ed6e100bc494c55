import * as v from 'valibot';
import { Field } from './field.ts';

type Schema = v.GenericSchema & {
  readonly options?: readonly Schema[];
  readonly key?: string;
  readonly entries?: Readonly<Record<string, Schema>>;
  readonly item?: Schema;
  readonly wrapped?: Schema;
  readonly literal?: unknown;
};

const NAMES: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  number: 'a number',
  object: 'a map',
  strict_object: 'an empty map',
  string: 'a string',
  tuple: 'an empty list',
};

/**
 * Describes what an attribute of a field has to be, in the words of the field model.
 *
 * @param field the field, which decides the kinds of its inputs.
 * @param path the attribute, as keys and indexes below the field.
 * @returns a clause such as `a number: Maximum number of characters the customer may enter.`
 */
export function expectedValue(field: unknown, path: readonly (string | number)[]): string {
  let schemas: readonly Schema[] = [Field as Schema];
  let value = field;
  for (const key of path) {
    schemas = schemas
      .flatMap((schema) => alternatives(schema, value))
      .flatMap((schema) => schema.entries?.[key] ?? schema.item ?? []);
    value = (value as Record<string | number, unknown> | undefined | null)?.[key];
  }
  const names = [...new Set(schemas.flatMap((schema) => namesOf(schema)))];
  const [description] = schemas.flatMap((schema) => v.getDescription(schema) ?? []);
  return [names.join(' or '), description].join(': ');
}

/** The schemas that a value may have to match: of a variant, the one that its discriminator names, or all. */
function alternatives(schema: Schema, value: unknown): readonly Schema[] {
  const { options, key = '', wrapped } = schema;
  if (wrapped) return alternatives(wrapped, value);
  if (!options) return [schema];
  const kind = (value as Record<string, unknown> | undefined | null)?.[key];
  const named = options.filter(({ entries }) => entries?.[key]?.literal === kind);
  return named.length > 0 ? named : options;
}

function namesOf(schema: Schema): readonly string[] {
  if (schema.wrapped) return namesOf(schema.wrapped);
  if (schema.options) return ['a map'];
  if ('literal' in schema) return [JSON.stringify(schema.literal)];
  return [NAMES[schema.type] ?? schema.type];
}
