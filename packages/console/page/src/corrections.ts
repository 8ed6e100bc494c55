import leven from 'leven';

/** A word may have a mistake in so many letters, but no more than two. */
const LETTERS_PER_MISTAKE = 5;
const MAX_MISTAKES = 2;

/** Scripts whose words are long enough to resemble each other only by a mistake. */
const LETTERS = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]+$/u;

/**
 * Returns a function that finds the first of some texts that another one only corrects: case,
 * accents, spaces, hyphens, or a mistake in a long word. Another digit or sign makes another text,
 * such as `Size 39` or `A+`.
 */
export function correctionsOf<T>(items: readonly T[], textOf: (item: T) => string) {
  const known = items.map((item) => ({ item, text: folded(textOf(item)) }));
  const byFirst = Map.groupBy(known, ({ text }) => text[0]);
  return (text: string, isFree: (item: T) => boolean): T | undefined => {
    const own = folded(text);
    const isMatch = (one: (typeof known)[number]) => isFree(one.item) && isCorrected(own, one.text);
    return byFirst.get(own[0])?.find(isMatch)?.item;
  };
}

function isCorrected(one: string, two: string): boolean {
  if (one.replaceAll(' ', '') === two.replaceAll(' ', '')) return true;
  const [words, others] = [one.split(' '), two.split(' ')];
  return (
    words.length === others.length && words.every((word, at) => isSameWord(word, others[at] ?? ''))
  );
}

/** Removes accents and case, and makes a space of what stands between words. */
function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/\s+|(?<=\p{L})[-‐'’.,](?=\p{L})/gu, ' ')
    .trim()
    .replace(/(?<=\p{L})[.,;:]$/u, '');
}

function isSameWord(word: string, other: string): boolean {
  if (word === other) return true;
  if (word[0] !== other[0] || ![word, other].every((one) => LETTERS.test(one))) return false;
  const length = Math.max(word.length, other.length);
  const maxDistance = Math.min(MAX_MISTAKES, Math.floor(length / LETTERS_PER_MISTAKE));
  return leven(word, other, { maxDistance: maxDistance + 1 }) <= maxDistance;
}
