import type { ConfigsItem } from '../client-attributes.ts';
import { idOf, isMap, listOf, type StoredMap } from './stored-map.ts';

/** Fields that all have ids, and the highest id ever assigned. */
export interface Identified {
  readonly fields: readonly unknown[];
  readonly lastFieldId: number;
}

/**
 * The most by which `lastFieldId` can be above all ids that are known: as if so many fields had
 * been removed. A date, a time or a typing error is farther, and must not use up the remaining ids.
 */
export const MOST_REMOVED_FIELDS = 10_000;

/** Returns a `lastFieldId` that can be meant; 0 for another one. */
export function plausibleLastFieldId(lastFieldId: unknown, highestId: number): number {
  const isPlausible =
    Number.isSafeInteger(lastFieldId) && Number(lastFieldId) <= highestId + MOST_REMOVED_FIELDS;
  return isPlausible ? Number(lastFieldId) : 0;
}

/** Returns the highest id among fields with whole numbers as ids; 0 if there is none. */
export function highestId(fields: unknown): number {
  return listOf(fields)
    .map(idOf)
    .filter((id) => id !== undefined && /^\d{1,15}$/.test(id))
    .reduce((highest: number, id) => Math.max(highest, Number(id)), 0);
}

/**
 * Assigns the next id to each field without one. An implausible `lastFieldId` does not count.
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
  const highest = highestId(fields);
  const last = Math.max(lastFieldId, highest);
  const known = Math.max(highest, highestEver);
  let next = Math.max(known, plausibleLastFieldId(lastFieldId, known)) + 1;
  const isNew = (field: unknown) => isMap(field) && field.id === undefined;
  const withIds = fields.map((field) =>
    isNew(field) ? { id: String(next++), ...(field as StoredMap) } : field,
  );
  return { fields: withIds, lastFieldId: fields.some(isNew) ? Math.max(last, next - 1) : last };
}

/**
 * Returns the highest id in a configuration or before it: that of a field, or `lastFieldId` if it
 * is plausible.
 *
 * @param highestEver the highest id before.
 */
export function highestIdIn({ fields, lastFieldId }: ConfigsItem, highestEver = 0): number {
  const known = Math.max(highestId(fields), highestEver);
  return Math.max(known, plausibleLastFieldId(lastFieldId, known));
}
