/** The largest request body, in bytes. */
export const MAX_BODY_BYTES = 16 * 1024;

const PROTOTYPE_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

/** Whether there is, at any depth, a key that is named like a way to an object's prototype. */
export function prototypeKeyIn(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([key, child]) => PROTOTYPE_KEYS.has(key) || prototypeKeyIn(child),
  );
}

/** One warning that names the properties that are not known, if there are any. */
export function removedWarning(names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  const values = names.length === 1 ? '1 value was' : `${names.length} values were`;
  return [`${values} removed from the request data: ${names.join(', ')}.`];
}
