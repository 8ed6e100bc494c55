import leven, { closestMatch } from 'leven';

/** How many characters may be wrong in a misspelled name. */
const MAX_DISTANCE = 4;

/** A name without the differences between spellings: `user_pool` and `userPool` are the same. */
export function folded(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '');
}

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
  const closest = closestMatch(folded(name), known.map(folded), { maxDistance });
  return known.find((one) => folded(one) === closest);
}

/**
 * Returns whether a name is another one with a single typing error: one letter too many, too few or wrong, two letters
 * swapped, or a difference only in case, `_` and `-`. The first letter has to be right. It is stricter than `closestName`:
 * `friends` is not a misspelled `fields`, and neither is `fields2`, which was probably named after it.
 */
export function hasTypingError(name: string, known: string): boolean {
  const [wrong, right] = [folded(name), folded(known)];
  if (wrong === right) return true;
  if (wrong[0] !== right[0] || wrong.includes(right)) return false;
  return leven(wrong, right) === 1 || areSwapped(wrong, right);
}

/** Whether two strings are the same but for two letters beside each other. */
function areSwapped(one: string, other: string): boolean {
  const at = one.split('').findIndex((letter, index) => letter !== other[index]);
  return `${one.slice(0, at)}${one[at + 1]}${one[at]}${one.slice(at + 2)}` === other;
}
