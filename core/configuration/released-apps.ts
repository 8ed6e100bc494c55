/** The release whose apps decode integers into 32 bits: its document has no format for them. */
const RELEASE = '0.1.0';
const LARGEST = 2 ** 31 - 1;
const SMALLEST = -LARGEST - 1;

/**
 * Says what is wrong with an integer that apps in the field cannot decode, although the service
 * serves it: an app that was built for a release knows the types of that release, and one that
 * cannot decode a field may lose all of them. Undefined if they decode it.
 *
 * A test compares this with the document of every release.
 */
export function undecodableInteger(value: number): string | undefined {
  if (SMALLEST <= value && value <= LARGEST) return undefined;
  const range = value < SMALLEST ? `from ${SMALLEST} to` : 'up to';
  return `apps built for ${RELEASE} cannot decode this; they decode integers ${range} ${LARGEST}`;
}
