/** Returns a function that computes something when it is first called, and keeps it. */
export function lazily<T>(compute: () => T): () => T {
  let computed: T | undefined;
  return () => (computed ??= compute());
}
