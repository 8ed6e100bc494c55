/**
 * Compares two values of JSON or DynamoDB as `isDeepStrictEqual` of Node does, also in browsers.
 * Libraries compare the `constructor` of maps, which can be an attribute here.
 */
export function isEqual(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return false;
  if (Object.getPrototypeOf(one) !== Object.getPrototypeOf(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every(
      (name) => Object.hasOwn(other, name) && isEqual(Object(one)[name], Object(other)[name]),
    )
  );
}
