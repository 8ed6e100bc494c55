/** Apps of this release decode integers into 32 bits: its document has no format for them. */
const RELEASE = '0.1.0';
const LARGEST = 2 ** 31 - 1;
const SMALLEST = -LARGEST - 1;

/**
 * Describes why released apps cannot decode an integer; undefined if they can. The service serves
 * it, but an app knows only the types of the release it was built for, and may lose all fields if
 * it cannot decode one. A test compares this with the document of every release.
 */
export function undecodableInteger(value: number): string | undefined {
  if (SMALLEST <= value && value <= LARGEST) return undefined;
  const range = value < SMALLEST ? `from ${SMALLEST} to` : 'up to';
  return `apps built for ${RELEASE} cannot decode this; they decode integers ${range} ${LARGEST}`;
}
