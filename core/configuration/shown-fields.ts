import { attributePath } from '../finding.ts';
import { readField } from './read-field.ts';
import { isMap, type StoredMap } from './stored-map.ts';

/** That a field was shown before a change, and is not after it. Follows the name of the field. */
export const NO_LONGER_SHOWN = 'is no longer shown to customers';

/** Returns stored fields by id, or by position if they have none. */
export function fieldsById(fields: unknown): Map<string, StoredMap> {
  const list: readonly unknown[] = Array.isArray(fields) ? fields : [];
  return new Map(
    list.map((stored, index) => {
      const field = isMap(stored) ? stored : {};
      return [typeof field.id === 'string' ? `id ${field.id}` : `index ${index}`, field];
    }),
  );
}

/** Names a field in a sentence, by its caption in quotes. */
export function fieldLabel({ fieldName, id }: StoredMap): string {
  if (typeof fieldName === 'string' && fieldName !== '') return JSON.stringify(fieldName);
  return id === undefined
    ? 'A field without an id'
    : `Field ${isMap(id) ? JSON.stringify(id) : id}`;
}

/** Describes the first error for which a field is left out; undefined if there is none. */
export function whyNotShown(field: StoredMap): string | undefined {
  const { error } = readField(field);
  return error && `${attributePath(error.path)} ${error.message}`;
}
