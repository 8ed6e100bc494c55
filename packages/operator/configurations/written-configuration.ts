import { isDeepStrictEqual } from 'node:util';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall, NumberValueImpl as NumberValue } from '@aws-sdk/util-dynamodb';
import { readValue } from 'customer-data-api/clients';
import { isMap } from 'customer-data-api/configuration';
import type { RawContent } from 'customer-data-api/history';
import { UnstorableValue } from '../errors.ts';
import { withoutDerived } from './derived-attributes.ts';

/** A configuration as operators write it: without derived attributes, and lists for sets. */
export interface WrittenConfiguration {
  readonly lastFieldId?: unknown;
  readonly fields?: unknown;
}

/**
 * Converts a stored configuration to what operators write. A number that JavaScript cannot hold
 * exactly becomes a `NumberValue`, which is stored as the same number again.
 */
export function writtenConfiguration({ fields, lastFieldId }: RawContent): WrittenConfiguration {
  return {
    ...(lastFieldId && { lastFieldId: written(lastFieldId) }),
    ...(fields && { fields: fields.L ? fields.L.map(writtenField) : written(fields) }),
  };
}

/** Converts a stored field to what operators write. */
export function writtenField(stored: AttributeValue): unknown {
  return withoutDerived(written(stored));
}

/**
 * Converts fields that operators wrote to DynamoDB's JSON. A field without changes stays exactly as
 * it is stored, so that a change of one field touches no other.
 */
export function storedFields(
  fields: readonly unknown[],
  { fields: current }: RawContent,
): AttributeValue {
  const stored = new Map(
    (current?.L ?? []).map((field) => [field.M?.id?.S, { field, written: writtenField(field) }]),
  );
  return {
    L: fields.map((field) => {
      const before = stored.get(Object(field).id);
      return before && isDeepStrictEqual(before.written, field) ? before.field : toStored(field);
    }),
  };
}

/** Replaces `marshall`, which stores what a map has under `__proto__` beside it. */
function toStored(value: unknown): AttributeValue {
  if (Array.isArray(value)) return { L: value.filter((part) => part !== undefined).map(toStored) };
  if (isMap(value)) {
    const present = Object.entries(value).filter(([, part]) => part !== undefined);
    return { M: Object.fromEntries(present.map(([name, part]) => [name, toStored(part)])) };
  }
  if (typeof value === 'string' && !value.isWellFormed()) {
    throw new UnstorableValue(`${JSON.stringify(value)} has half of a character.`);
  }
  try {
    return marshall({ value }).value as AttributeValue;
  } catch (error) {
    // For example infinity. The check ignores it: the service does not know the attribute.
    throw new UnstorableValue(error instanceof Error ? error.message : String(error));
  }
}

function written(stored: AttributeValue): unknown {
  return listsForSets(readValue(stored, exactNumber));
}

function exactNumber(digits: string): number | NumberValue {
  return String(Number(digits)) === digits ? Number(digits) : NumberValue.from(digits);
}

function listsForSets(value: unknown): unknown {
  if (value instanceof Set) return [...value].toSorted();
  if (Array.isArray(value)) return value.map(listsForSets);
  if (!isMap(value)) return value;
  // With a prototype, for comparisons with the maps of a file.
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, listsForSets(part)]),
  );
}
