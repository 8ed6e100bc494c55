import * as v from 'valibot';
import type { Finding } from '../finding.ts';
import { Field } from './field.ts';
import { inputsOf } from './kinds.ts';
import { mapIn } from './stored-map.ts';

/** The parts of the field model's schemas that are used here. */
interface Schema {
  readonly type: string;
  /** Alternatives of a variant, and the attribute that tells them apart. */
  readonly options?: readonly Schema[];
  readonly key: string;
  /** Attributes of a map. */
  readonly entries: Readonly<Record<string | number, Schema>>;
  /** Entries of a list. */
  readonly item?: Schema;
  readonly literal?: unknown;
}

type Container = Readonly<Record<string | number, unknown>>;

const NAMES: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  number: 'a number',
  object: 'a map',
  string: 'a string',
  variant: 'a map',
};

/** Adds the fix to errors about missing attributes of a field. All options have the same one. */
export function withRemedies(field: unknown, errors: readonly Finding[]): Finding[] {
  const remedies = new Map<string, string>();
  return errors.map((error) => {
    const { code, path, message } = error;
    if (code !== 'missing') return error;
    const place = path.filter((key) => typeof key === 'string').join();
    const remedy = remedies.get(place) ?? remedyOf(field, path);
    remedies.set(place, remedy);
    return { ...error, message: `${message}; ${remedy}` };
  });
}

function remedyOf(field: unknown, path: Finding['path']): string {
  const hasOnlySubFieldB =
    !inputsOf(field).includes('subFieldB') && Object.keys(mapIn(field, 'subFieldB')).length > 0;
  return path.join() === 'subFieldA' && hasOnlySubFieldB
    ? 'rename subFieldB to subFieldA: only a combo has a second input'
    : `it is ${expectedValue(field, path)}`;
}

/**
 * Describes a missing attribute of a field, in the words of the field model.
 *
 * @param field determines the kinds of its inputs.
 * @param path the attribute, as keys and indexes below the field.
 * @returns a phrase such as `a number: Maximum number of characters the customer may enter.`
 */
function expectedValue(field: unknown, path: Finding['path']): string {
  let schemas: readonly Schema[] = [Field as unknown as Schema];
  let value = field;
  for (const key of path) {
    const container = value as Container;
    schemas = schemas
      .flatMap((schema) => alternatives(schema, container))
      .map(({ item, entries }) => item ?? (entries[key] as Schema));
    value = container[key];
  }
  const names = [...new Set(schemas.map(schemaName))];
  const descriptions = schemas.map((schema) => v.getDescription(schema as never));
  return `${names.join(' or ')}: ${descriptions[0]}`;
}

/** Returns the schemas that may apply: of a variant, the one that the value names, or all. */
function alternatives(schema: Schema, value: Container): readonly Schema[] {
  const { options, key } = schema;
  if (!options) return [schema];
  const named = options.filter(({ entries }) => (entries[key] as Schema).literal === value[key]);
  return named.length > 0 ? named : options;
}

function schemaName(schema: Schema): string {
  return NAMES[schema.type] ?? JSON.stringify(schema.literal);
}
