/** Items of DynamoDB that are read at the same time. */
const CONCURRENT_READS = 16;

/** Reads something about each of many, in their order. */
export async function* readEach<T, TRead>(
  all: Iterable<T> | AsyncIterable<T>,
  read: (one: T) => Promise<TRead>,
): AsyncGenerator<TRead> {
  let batch: T[] = [];
  for await (const one of all) {
    batch.push(one);
    if (batch.length < CONCURRENT_READS) continue;
    yield* await Promise.all(batch.map(read));
    batch = [];
  }
  yield* await Promise.all(batch.map(read));
}
