/** The largest request body in bytes, as in our functions. */
export const MAX_BODY_BYTES = 16 * 1024;

/** True if an object has, at any depth, a key that leads to a prototype. */
export function hasPrototypeKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([key, child]) => key === '__proto__' || hasPrototypeKey(child),
  );
}

/** The warning about unknown properties, or no warning if there are none. */
export function removedWarning(names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  const values = names.length === 1 ? '1 value was' : `${names.length} values were`;
  return [`${values} removed from the request data: ${names.join(', ')}.`];
}
