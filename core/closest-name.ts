import { closestMatch } from 'leven';

/** How many characters may be wrong in a misspelled name. */
const MAX_DISTANCE = 4;

/**
 * Finds the known name that an unknown one is probably meant to be.
 *
 * @param wrong the part of the name that may be wrong, such as a half. At most four characters may be.
 */
export function closestName(
  name: string,
  known: readonly string[],
  wrong: number,
): string | undefined {
  const maxDistance = Math.min(MAX_DISTANCE, Math.floor(name.length * wrong));
  return closestMatch(name, known, { maxDistance });
}
