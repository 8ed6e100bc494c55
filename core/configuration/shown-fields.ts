import { attributePath } from '../finding.ts';
import { lazily } from '../lazily.ts';
import { readField } from './read-field.ts';
import { idOf, listOf, mapOf, type StoredMap } from './stored-map.ts';

/**
 * Returns stored fields by id, or by position if they have none. If several have one id, apps get
 * the first without an error, which it takes.
 */
export function fieldsById(fields: unknown): Map<string, StoredMap> {
  const found = new Map<string, { readonly field: StoredMap; readonly isShown: () => boolean }>();
  for (const [index, stored] of listOf(fields).entries()) {
    const field = mapOf(stored);
    const id = idOf(field);
    const key = id === undefined ? `index ${index}` : `id ${id}`;
    const earlier = found.get(key);
    const isShown = lazily(() => whyNotShown(field) === undefined);
    if (earlier && (!isShown() || earlier.isShown())) continue;
    // It has its own place among the others.
    found.delete(key);
    found.set(key, { field, isShown });
  }
  return new Map([...found].map(([key, { field }]) => [key, field]));
}

/** Describes the first error for which a field is left out; undefined if there is none. */
export function whyNotShown(field: StoredMap): string | undefined {
  const { error } = readField(field);
  return error && `${attributePath(error.path)} ${error.message}`;
}
