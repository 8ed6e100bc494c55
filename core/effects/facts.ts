import { NumberValueImpl as NumberValue } from '@aws-sdk/util-dynamodb';
import type { StoredMap } from '../configuration/stored-map.ts';
import { isBlank } from '../stray-characters.ts';
import { shortened } from '../text.ts';
import type { FieldFact, Listed } from './words.ts';

/*
 * The facts of effects: values without words. What is stored can be as long as an item, and a
 * sentence cannot: the lines of a difference have all of it.
 */

/** The most characters of a value, and of the caption of a field. */
const [VALUE_CHARACTERS, LABEL_CHARACTERS] = [200, 80];

/** The most fields that are named in a sentence. */
const MOST_FIELDS = 20;

/** Identifies a field for people: by its caption, or else by its id. */
export function fieldFact({ fieldName, id }: StoredMap): FieldFact {
  const hasCaption = typeof fieldName === 'string' && !isBlank(fieldName);
  return hasCaption ? { caption: shortened(fieldName, LABEL_CHARACTERS) } : { id: shown(id) };
}

/** Lists fields. */
export function fieldFacts(fields: readonly StoredMap[]): Listed<FieldFact> {
  return listed(fields.map(fieldFact), MOST_FIELDS);
}

/** Writes a value, a string in quotes; undefined if there is none. */
export function quoted(value: unknown): string | undefined {
  return typeof value === 'string'
    ? JSON.stringify(shortened(value, VALUE_CHARACTERS))
    : shown(value);
}

/** Writes a value; undefined if there is none. */
export function shown(value: unknown): string | undefined {
  return value === undefined ? undefined : shortened(written(value), VALUE_CHARACTERS);
}

function written(value: unknown): string {
  if (value instanceof NumberValue) return value.toString();
  return typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
}

/** Takes the first ones of a list, and counts the rest. */
export function listed<T>(all: readonly T[], most: number): Listed<T> {
  return { first: all.slice(0, most), more: Math.max(0, all.length - most) };
}
