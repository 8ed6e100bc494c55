import type { ConfigsItem } from '../client-attributes.ts';
import { isMap, type StoredMap } from './complete-field.ts';

/** Fields that all have ids, and the highest id ever assigned. */
export interface Identified {
  readonly fields: readonly unknown[];
  readonly lastFieldId: number;
}

/** Returns the highest id among fields with whole numbers as ids; 0 if there is none. */
export function highestId(fields: readonly unknown[]): number {
  return fields
    .map((field) => (isMap(field) ? field.id : undefined))
    .filter((id) => typeof id === 'string' && /^\d{1,15}$/.test(id))
    .reduce((highest: number, id) => Math.max(highest, Number(id)), 0);
}

/**
 * Assigns the next id to each field without one.
 *
 * @param highestEver the highest id in the history. A manual edit can lower `lastFieldId`, but
 *   phones still hold values of deleted fields: their ids must not be reused. Without a new field,
 *   `lastFieldId` does not rise to it.
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

/** Returns the highest id in a configuration: that of a field, or `lastFieldId`. */
export function highestIdIn({ fields, lastFieldId }: ConfigsItem): number {
  // The limit of `highestId`: a typing error must not use up the remaining ids.
  const isPlausible = Number.isSafeInteger(lastFieldId) && Number(lastFieldId) < 1e15;
  const ids = Array.isArray(fields) ? highestId(fields) : 0;
  return Math.max(ids, isPlausible ? Number(lastFieldId) : 0);
}
