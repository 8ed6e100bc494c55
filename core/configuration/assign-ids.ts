import type { ConfigsItem } from '../client-attributes.ts';
import { isMap, type StoredMap } from './complete-field.ts';

/** Fields that all have ids, and the highest id that a field ever had. */
export interface Identified {
  readonly fields: readonly unknown[];
  readonly lastFieldId: number;
}

/** The highest id of a list of fields, of those that are whole numbers; 0 if there is none. */
export function highestId(fields: readonly unknown[]): number {
  return fields
    .map((field) => (isMap(field) ? field.id : undefined))
    .filter((id) => typeof id === 'string' && /^\d{1,15}$/.test(id))
    .reduce((highest: number, id) => Math.max(highest, Number(id)), 0);
}

/**
 * Gives each field without an id the next one.
 *
 * @param highestEver the highest id that the history knows. A manual edit can lower `lastFieldId`,
 *   but phones still hold values of a field that is gone, so its id is not given to another one.
 *   Without a new field, `lastFieldId` does not rise to it.
 */
export function assignIds(
  fields: readonly unknown[],
  lastFieldId: number,
  highestEver = 0,
): Identified {
  const last = Math.max(lastFieldId, highestId(fields));
  let next = Math.max(last, highestEver) + 1;
  const isNew = (field: unknown) => isMap(field) && field.id === undefined;
  const identified = fields.map((field) =>
    isNew(field) ? { id: String(next++), ...(field as StoredMap) } : field,
  );
  return { fields: identified, lastFieldId: fields.some(isNew) ? next - 1 : last };
}

/** The highest id that a configuration mentions: that of a field, or its `lastFieldId`. */
export function highestIdIn({ fields, lastFieldId }: ConfigsItem): number {
  // The limit of `highestId`: a typing error must not use up the remaining ids.
  const isPlausible = Number.isSafeInteger(lastFieldId) && Number(lastFieldId) < 1e15;
  const ids = Array.isArray(fields) ? highestId(fields) : 0;
  return Math.max(ids, isPlausible ? Number(lastFieldId) : 0);
}
