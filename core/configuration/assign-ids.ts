import { isMap } from './complete-field.ts';

/** Fields that all have ids, and the highest id that a field ever had. */
export interface Identified {
  readonly fields: readonly unknown[];
  readonly lastFieldId: number;
}

/** The highest id of a list of fields, of those that are whole numbers; 0 if there is none. */
export function highestId(fields: readonly unknown[]): number {
  const ids = fields
    .map((field) => (isMap(field) ? field.id : undefined))
    .filter((id) => typeof id === 'string' && /^\d{1,15}$/.test(id))
    .map(Number);
  return Math.max(0, ...ids);
}

/** Gives each field without an id the next one. No id is given twice, because `lastFieldId` never decreases. */
export function assignIds(fields: readonly unknown[], lastFieldId: number): Identified {
  let last = Math.max(lastFieldId, highestId(fields));
  const identified = fields.map((field) => {
    if (!isMap(field) || field.id !== undefined) return field;
    last += 1;
    return { id: String(last), ...field };
  });
  return { fields: identified, lastFieldId: last };
}
