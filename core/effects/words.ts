import { NumberValueImpl as NumberValue } from '@aws-sdk/util-dynamodb';
import { isMap, type StoredMap } from '../configuration/stored-map.ts';
import { shortened } from '../text.ts';

/*
 * Parts of a sentence. What is stored can be as long as an item, and a sentence cannot: the lines
 * of a difference have all of it.
 */

/** The most characters of a value, and of the caption of a field. */
const [VALUE_CHARACTERS, LABEL_CHARACTERS] = [200, 80];

/** The most fields that are named in a sentence. */
export const MOST_FIELDS = 20;

/** Names a field, by its caption in quotes. */
export function fieldLabel({ fieldName, id }: StoredMap): string {
  if (typeof fieldName === 'string' && fieldName !== '')
    return JSON.stringify(shortened(fieldName, LABEL_CHARACTERS));
  return id === undefined ? 'A field without an id' : `Field ${shown(id)}`;
}

/** Writes a value, a string in quotes. */
export function quoted(value: unknown): string {
  return typeof value === 'string'
    ? JSON.stringify(shortened(value, VALUE_CHARACTERS))
    : shown(value);
}

/** Writes a value. */
export function shown(value: unknown): string {
  return shortened(written(value), VALUE_CHARACTERS);
}

function written(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value instanceof NumberValue) return value.toString();
  if (typeof value === 'string') return value === '' ? 'empty' : value;
  const isListOfTexts = Array.isArray(value) && value.every((part) => typeof part === 'string');
  if (isListOfTexts && value.length > 0) return value.join(' and ');
  return JSON.stringify(value, inOrder);
}

/** Sorts the keys of a map, which have no order in DynamoDB: one value has one sentence. */
function inOrder(_: string, part: unknown): unknown {
  if (!isMap(part)) return part;
  const byKey = ([one]: [string, unknown], [other]: [string, unknown]) => (one < other ? -1 : 1);
  return Object.fromEntries(Object.entries(part).toSorted(byKey));
}

/** Names the first ones of a list, and counts the rest. */
export function listed<T>(all: readonly T[], name: (one: T) => string, most: number): string {
  const more = all.length > most ? [`${all.length - most} more`] : [];
  return [...all.slice(0, most).map(name), ...more].join(', ');
}
