import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { readValue } from '../aws/attribute-values.ts';
import { exactNumber } from '../aws/exact-number.ts';
import { oncePer } from '../once-per.ts';
import { withoutDerived } from './derived-attributes.ts';
import type { StoredContent } from './stored-content.ts';
import { listOf } from './stored-map.ts';

/** A configuration as operators write it: without derived attributes, and lists for sets. */
export type WrittenConfiguration = {
  readonly lastFieldId?: unknown;
  readonly language?: unknown;
  readonly fields?: unknown;
};

/**
 * Converts a stored configuration to what operators write. A number that JavaScript cannot hold
 * exactly becomes a `NumberValue`, which is stored as the same number again.
 */
export const writtenConfiguration = oncePer(
  ({ fields, lastFieldId, language }: StoredContent): WrittenConfiguration => ({
    ...(lastFieldId && { lastFieldId: written(lastFieldId) }),
    ...(language && { language: written(language) }),
    ...(fields && {
      fields: fields.L ? fields.L.map((field) => withoutDerived(written(field))) : written(fields),
    }),
  }),
);

/** Returns the fields of a configuration as operators write them; none if they are no list. */
export function writtenFields(content: StoredContent): readonly unknown[] {
  return listOf(writtenConfiguration(content).fields);
}

/** Reads a value, with lists for sets, and maps that compare with those of a file. */
function written(stored: AttributeValue): unknown {
  const { L, M } = stored;
  if (M) return Object.fromEntries(Object.entries(M).map(([name, part]) => [name, written(part)]));
  if (L) return L.map(written);
  const value = readValue(stored, exactNumber);
  return value instanceof Set ? [...value].toSorted() : value;
}
