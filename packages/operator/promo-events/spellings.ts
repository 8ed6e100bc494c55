import { formsOf } from 'customer-data-api/configuration';
import { printable, suggested } from 'customer-data-api-deployment/program';

/** Returns likely other spellings of an id. */
export function otherSpellings(id: string): string[] {
  const trimmed = id.trim();
  const lower = trimmed.toLowerCase();
  const capitalized = `${lower.charAt(0).toUpperCase()}${lower.slice(1)}`;
  const cases = [trimmed, lower, trimmed.toUpperCase(), capitalized];
  return [...cases, ...cases.flatMap((one) => [`${one} `, ` ${one}`])];
}

/** Returns the spellings of a user's id that a search of the table tries, its own first. */
export function searchedSpellings(userId: string): string[] {
  return [...new Set([userId, ...otherSpellings(userId)].flatMap(formsOf))];
}

/** Says in which spellings a user was searched who has nothing, and how to find others. */
export function describeSpellings(clientId: string, userId: string, promoCode?: string): string {
  // A line may break at a space inside the quotes.
  const spellings = searchedSpellings(userId)
    .filter((one) => one === userId || one === one.trim())
    .map((one) => printable(JSON.stringify(one)));
  const code = promoCode === undefined ? [] : ['--code', promoCode];
  return `The user was searched as ${spellings.join(', ')}, also with a space at an end, and in no other spelling. To find others, look for the user in this list: ${suggested('promo', 'list', clientId, ...code)}`;
}
