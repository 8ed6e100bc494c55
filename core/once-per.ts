/** Returns a function that computes something of an object when it is first asked, and keeps it. */
export function oncePer<TKey extends object, T>(compute: (key: TKey) => T): (key: TKey) => T {
  const computed = new WeakMap<TKey, T>();
  return (key) => {
    const known = computed.get(key);
    if (known !== undefined) return known;
    const value = compute(key);
    computed.set(key, value);
    return value;
  };
}
