/**
 * Reads which entries of a batch a function could not handle. As on Lambda, a response without a
 * list is a success, and one that names anything but an entry fails the whole batch.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html
 *
 * @param ids the identifiers of the entries.
 * @throws Error if the whole batch fails.
 */
export function failedEntries(response: unknown, ids: readonly string[]): ReadonlySet<string> {
  const failures: unknown = Object(response).batchItemFailures ?? [];
  if (!Array.isArray(failures)) throw new Error('batchItemFailures must be a list.');
  const failed = failures.map((one) => Object(one).itemIdentifier);
  const unknown = failed.findIndex((id) => !id || !ids.includes(id));
  if (unknown === -1) return new Set(failed);
  throw new Error(`No entry of the batch is ${JSON.stringify(failures[unknown])}.`);
}
