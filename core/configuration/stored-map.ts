/*
 * What is stored can have any type, at any depth. The maps of an item have no prototype, and those
 * of a file have one, from which they inherit `constructor`, for example.
 */

/** A map in an item or a file. */
export type StoredMap = Readonly<Record<string, unknown>>;

/** True for a map of an item or a file; false for lists, sets and binary values. */
export function isMap(value: unknown): value is StoredMap {
  if (value === undefined || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Returns the value if it is a map, else an empty map. */
export function mapOf(value: unknown): StoredMap {
  return isMap(value) ? value : {};
}

/** Returns the value if it is a list, else an empty list. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns what a map has itself. */
export function attributeOf(map: unknown, name: string): unknown {
  return isMap(map) && Object.hasOwn(map, name) ? map[name] : undefined;
}

/** Returns a map in a map, or an empty one. */
export function mapIn(map: unknown, name: string): StoredMap {
  return mapOf(attributeOf(map, name));
}

/** Returns the id of a field; undefined without one that is a string. */
export function idOf(field: unknown): string | undefined {
  const id = attributeOf(field, 'id');
  return typeof id === 'string' ? id : undefined;
}
