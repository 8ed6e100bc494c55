import { changesOfField, nameOf, type StoredMap } from './describe-field.ts';

/** The fields of a configuration by their keys, such as `id 7`. */
type Fields = ReadonlyMap<string, StoredMap>;

/**
 * Finds the fields that got the id of another one: they have the caption of a field that had a different id, and differ less from
 * that one than from the field whose id they have.
 *
 * @returns the keys in `old` by the keys in `fresh`; undefined for a new field with the id of one that has another id now.
 */
export function originsOf(old: Fields, fresh: Fields): ReadonlyMap<string, string | undefined> {
  const withCaption = (fields: Fields, caption: unknown) =>
    [...fields].filter(([, { fieldName }]) => fieldName === caption).map(([id]) => id);
  const origins = new Map<string, string | undefined>();
  for (const [id, field] of fresh) {
    const before = old.get(id);
    const [origin, ...others] = withCaption(old, field.fieldName);
    const isOnly = others.length === 0 && withCaption(fresh, field.fieldName).length === 1;
    const isMoved = origin !== undefined && origin !== id;
    if (!before || !isOnly || !isMoved || !id.startsWith('id ')) continue;
    const distance = (one: StoredMap) => changesOfField(one, field).length;
    if (distance(old.get(origin) ?? {}) < distance(before)) origins.set(id, origin);
  }
  for (const id of [...origins.values()]) {
    if (id !== undefined && fresh.has(id) && !origins.has(id)) origins.set(id, undefined);
  }
  return origins;
}

/** What it means for customers that fields have the ids of others: their apps keep what they entered by id. */
export function changesOfIds(
  origins: ReadonlyMap<string, string | undefined>,
  old: Fields,
  fresh: Fields,
): string[] {
  return [...origins].flatMap(([id, origin]) => {
    const [field, replaced] = [fresh, old].map((fields) => nameOf(fields.get(id) ?? {}));
    if (origin === undefined || origins.get(origin) !== id) {
      const isLost = origin !== undefined && !fresh.has(origin);
      const lost = isLost ? `, and what they entered for ${field} is shown nowhere` : '';
      return [
        `${field} now has ${id}, which was ${replaced}'s: what customers entered for ${replaced} appears in ${field}${lost}.`,
      ];
    }
    const isFirst = [...origins.keys()].indexOf(id) < [...origins.keys()].indexOf(origin);
    return isFirst
      ? [
          `${replaced} and ${field} have swapped their ids: what customers entered for one appears in the other.`,
        ]
      : [];
  });
}
