import { isDeepStrictEqual } from 'node:util';
import { isMap, type StoredMap } from '../../core/configuration/complete-field.ts';
import { withoutDerived } from './without-derived.ts';

/** The names of conflicts that concern several fields. */
export const AMBIGUOUS_FIELDS = 'fields without a unique id';
export const FIELD_ORDER = 'the order of the fields';
/** The key of a conflict about the order. */
const ORDER_KEY = 'order';

/** The merged fields, or the conflicts that prevent a merge. */
export type Merged =
  | { readonly fields: readonly unknown[]; readonly conflicts?: never }
  | { readonly fields?: never; readonly conflicts: readonly MergeConflict[] };

/** A field that both sides changed differently, or their order. */
export interface MergeConflict {
  /** Identifies the conflict, to keep one's own side; undefined if that is impossible. */
  readonly key: string | undefined;
  readonly name: string;
  /** The attributes that differ. Empty if one side removed the field, or both added it. */
  readonly attributes: readonly AttributeConflict[];
}

/** A value on both sides; undefined if the side has none. */
export interface AttributeConflict {
  /** The path in the field, such as `subFieldA.maxChars`. */
  readonly attribute: string;
  readonly mine: unknown;
  readonly theirs: unknown;
}

/** The fields of one side by key, in order. */
type Side = ReadonlyMap<string, unknown>;

/**
 * Merges two changes of the fields in `base`. Fields are matched by id. A field of `mine` without
 * an id is new, unless `theirs` added the same one: then a response was probably lost, and both
 * sides come from one publication. A new field with the name of one that `theirs` added is a
 * conflict, because it is probably the same field.
 *
 * @param keep the keys of conflicts in which `mine` wins.
 */
export function mergeFields(
  base: readonly unknown[],
  mine: readonly unknown[],
  theirs: readonly unknown[],
  keep: readonly string[] = [],
): Merged {
  const [before, other] = [sideOf(base), sideOf(theirs)];
  const own = sideOf(withKnown(mine, [...base, ...mine], theirs), 'new');
  if (!before || !own || !other) return { conflicts: [conflict(undefined, AMBIGUOUS_FIELDS)] };

  const conflicts: MergeConflict[] = [];
  const merged = new Map<string, unknown>();
  for (const key of new Set([...other.keys(), ...own.keys()])) {
    const [was, one, another] = [before, own, other].map((side) => side.get(key));
    if (isDeepStrictEqual(one, was)) merged.set(key, another);
    else if (
      isDeepStrictEqual(another, was) ||
      isDeepStrictEqual(one, another) ||
      keep.includes(key)
    ) {
      merged.set(key, one);
    } else {
      const attributes = isMap(one) && isMap(another) ? clashes(one, another, was) : [];
      conflicts.push(conflict(key, conflictName(key, was ?? another), attributes));
    }
  }
  conflicts.push(...addedTwice(before, own, other).filter(({ key = '' }) => !keep.includes(key)));
  const order = keep.includes(ORDER_KEY) ? inserted(own, other) : mergeOrder(before, own, other);
  if (!order) conflicts.push(conflict(ORDER_KEY, FIELD_ORDER));
  if (conflicts.length > 0 || !order) return { conflicts };
  return { fields: order.map((key) => merged.get(key)).filter((field) => field !== undefined) };
}

function conflict(
  key: string | undefined,
  name: string,
  attributes: readonly AttributeConflict[] = [],
): MergeConflict {
  return { key, name, attributes };
}

/** Finds the attributes that both sides changed differently. */
function clashes(
  mine: StoredMap,
  theirs: StoredMap,
  was: unknown,
  prefix = '',
): AttributeConflict[] {
  const before = isMap(was) ? was : {};
  return [...new Set([...Object.keys(mine), ...Object.keys(theirs)])].flatMap((name) => {
    const [one, another, old] = [mine[name], theirs[name], before[name]];
    const isUnchanged = (value: unknown) => isDeepStrictEqual(value, old);
    if (isDeepStrictEqual(one, another) || isUnchanged(one) || isUnchanged(another)) return [];
    const attribute = `${prefix}${name}`;
    if (isMap(one) && isMap(another)) return clashes(one, another, old, `${attribute}.`);
    return [{ attribute, mine: one, theirs: another }];
  });
}

/** Replaces new fields with those of the same content that the other side added. */
function withKnown(
  mine: readonly unknown[],
  old: readonly unknown[],
  theirs: readonly unknown[],
): readonly unknown[] {
  const idOf = (field: unknown) => (isMap(field) ? field.id : undefined);
  const added = theirs.filter((field) => !old.some((one) => idOf(one) === idOf(field)));
  return mine.map((field) => {
    if (!isMap(field) || field.id !== undefined) return field;
    const at = added.findIndex((one) =>
      isDeepStrictEqual(withoutDerived({ ...field, id: idOf(one) }), one),
    );
    return at === -1 ? field : added.splice(at, 1)[0];
  });
}

/** Finds new fields without an id that the other side has added too. */
function addedTwice(before: Side, own: Side, other: Side): MergeConflict[] {
  const added = [...other].filter(([key]) => !before.has(key)).map(([, field]) => fieldName(field));
  return [...own].flatMap(([key, field]) => {
    const name = fieldName(field);
    const isAdded = key.startsWith('new ') && name !== undefined && added.includes(name);
    return isAdded ? [conflict(key, name)] : [];
  });
}

/** Returns the fields by key; undefined for duplicate keys or a field that must have an id. */
function sideOf(fields: readonly unknown[], withoutId?: 'new'): Side | undefined {
  const side = new Map(
    fields.map((field, index) => {
      const id = isMap(field) ? field.id : undefined;
      if (typeof id === 'string') return [`id ${id}`, field];
      return [withoutId && isMap(field) && id === undefined ? `new ${index}` : '', field];
    }),
  );
  return side.size === fields.length && !side.has('') ? side : undefined;
}

/** Keeps the order of the side that changed it. Fields of the other side keep their predecessor. */
function mergeOrder(before: Side, own: Side, other: Side): string[] | undefined {
  if (hasSameOrder(before, own) || hasSameOrder(own, other)) return inserted(other, own);
  return hasSameOrder(before, other) ? inserted(own, other) : undefined;
}

function hasSameOrder(one: Side, other: Side): boolean {
  return isDeepStrictEqual(
    [...one.keys()].filter((key) => other.has(key)),
    [...other.keys()].filter((key) => one.has(key)),
  );
}

function inserted(order: Side, additions: Side): string[] {
  const keys = [...order.keys()];
  let previous = -1;
  for (const key of additions.keys()) {
    const at = keys.indexOf(key);
    if (at === -1) keys.splice(previous + 1, 0, key);
    previous = at === -1 ? previous + 1 : at;
  }
  return keys;
}

function conflictName(key: string, field: unknown): string {
  return fieldName(field) || `the field with ${key}`;
}

function fieldName(field: unknown): string | undefined {
  const name = isMap(field) ? field.fieldName : undefined;
  return typeof name === 'string' ? name : undefined;
}
