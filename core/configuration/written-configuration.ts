import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { readValue } from '../aws/attribute-values.ts';
import { exactNumber } from '../aws/exact-number.ts';
import { withoutDerived } from './derived-attributes.ts';
import type { StoredContent } from './stored-content.ts';

/** A configuration as operators write it: without derived attributes, and lists for sets. */
export interface WrittenConfiguration {
  readonly lastFieldId?: unknown;
  readonly language?: unknown;
  readonly fields?: unknown;
}

/**
 * Converts a stored configuration to what operators write. A number that JavaScript cannot hold
 * exactly becomes a `NumberValue`, which is stored as the same number again.
 */
export function writtenConfiguration(content: StoredContent): WrittenConfiguration {
  const { fields, lastFieldId, language } = content;
  return {
    ...(lastFieldId && { lastFieldId: written(lastFieldId) }),
    ...(language && { language: written(language) }),
    ...(fields && {
      fields: fields.L ? fields.L.map((field) => withoutDerived(written(field))) : written(fields),
    }),
  };
}

/** Reads a value, with lists for sets, and maps that compare with those of a file. */
function written(stored: AttributeValue): unknown {
  const { L, M } = stored;
  if (M) return Object.fromEntries(Object.entries(M).map(([name, part]) => [name, written(part)]));
  if (L) return L.map(written);
  const value = readValue(stored, exactNumber);
  return value instanceof Set ? [...value].toSorted() : value;
}
