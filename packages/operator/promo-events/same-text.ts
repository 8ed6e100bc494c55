import { INVISIBLE, parsedOnUse } from 'customer-data-api/configuration';

const invisible = parsedOnUse(`[\\s${INVISIBLE}]+`, 'gu');
/** Japanese keyboards write a long vowel for a dash. */
const DASH = /[\p{Dash}\u02d7\u2043\u30fc]/gu;
/**
 * Also accents, primes and letters that look like an apostrophe. Those with a space are accents
 * in form NFKC. Two single quotes look like a double one.
 */
const QUOTES =
  /(?:[\p{Quotation_Mark}`\u02b9-\u02bf\u02c8\u02ca\u02cb\u02ee\u055a\u05f3\u05f4\u2032-\u2037\u275b-\u275e\ua78b\ua78c]| [\u0300\u0301\u0313\u0314])+/gu;

/**
 * True if two texts differ only in case, spaces, what nobody sees, or the kind of a dash, a quote
 * or a digit: phones choose these by themselves. Without a second one, any text is the same.
 */
export function isSameText(text = '', other = text): boolean {
  return folded(text) === folded(other);
}

function folded(text: string): string {
  return text
    .normalize('NFKC')
    .replace(DASH, '-')
    .replace(QUOTES, "'")
    .replace(invisible(), '')
    .replace(/\p{Nd}/gu, digitOf)
    .toLowerCase();
}

/**
 * Returns the ASCII digit of a decimal digit. In each script they follow each other, from zero to
 * nine. https://www.unicode.org/reports/tr44/#Numeric_Type
 */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before++;
  return String(before % 10);
}
