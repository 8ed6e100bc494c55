import { closestMatch } from 'leven';

/** Largest number of wrong characters in a misspelled name. */
const MAX_DISTANCE = 4;

/** Removes differences that are easily overlooked: `user_pool` and `userPool ` become the same. */
export function folded(name: string): string {
  return name.toLowerCase().replace(/[_\-\p{Z}\p{Cc}\p{Cf}]/gu, '');
}

const FOLDED = new WeakMap<readonly string[], readonly string[]>();

/** Folds known names once: a configuration can have a hundred thousand unknown ones. */
function foldedNames(known: readonly string[]): readonly string[] {
  const names = FOLDED.get(known) ?? known.map(folded);
  FOLDED.set(known, names);
  return names;
}

/** Finds the known name that an unknown one resembles. `wrong`: the share of it that may differ. */
export function closestName(
  name: string,
  known: readonly string[],
  wrong: number,
): string | undefined {
  const maxDistance = Math.min(MAX_DISTANCE, Math.floor(name.length * wrong));
  const names = foldedNames(known);
  const closest = closestMatch(folded(name), names, { maxDistance });
  return closest === undefined ? undefined : known[names.indexOf(closest)];
}
