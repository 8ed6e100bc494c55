import { closestMatch } from 'leven';

/** How many characters may be wrong in a misspelled name. */
const MAX_DISTANCE = 4;

/** A name without the differences between spellings: `user_pool` and `userPool` are the same. */
export function folded(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '');
}

/**
 * Finds the known name that an unknown one is probably meant to be.
 *
 * @param wrong the part of the name that may be wrong, such as a half. At most four characters may
 *   be.
 */
export function closestName(
  name: string,
  known: readonly string[],
  wrong: number,
): string | undefined {
  const maxDistance = Math.min(MAX_DISTANCE, Math.floor(name.length * wrong));
  const closest = closestMatch(folded(name), known.map(folded), { maxDistance });
  return known.find((one) => folded(one) === closest);
}
