/** Returns a function that computes something of a value and, if it is an object, keeps it. */
export function oncePer<TKey, T>(compute: (key: TKey) => T): (key: TKey) => T {
  const computed = new WeakMap<object, T>();
  return (key) => {
    if (typeof key !== 'object' || key === null) return compute(key);
    const known = computed.get(key);
    if (known !== undefined) return known;
    const value = compute(key);
    computed.set(key, value);
    return value;
  };
}
