import { comparableId } from 'customer-data-api/configuration';
import { identityWithoutCase } from 'customer-data-api/promo-events';

/*
 * The one comparison of users and codes by operators. A search finds an id that looks alike: in any
 * case of a UUID, and in any Unicode form. For the service, only the case of a UUID makes no
 * difference: an id in another Unicode form is another user's.
 */

/** Returns what all ids that look alike have in common. */
export function alikeForm(userId: string): string {
  return comparableId(userId.normalize('NFD'));
}

/** True if a search for a user finds what another id has. */
export function looksAlike(userId: string, other: string): boolean {
  return alikeForm(userId) === alikeForm(other);
}

/** True if two ids are those of one user. */
export function isSameUser(userId: string, other: string): boolean {
  return comparableId(userId) === comparableId(other);
}

/** True if a search for a code finds another one, whatever the client says about case. */
export function isSameCode(promoCode: string, other: string): boolean {
  return identityWithoutCase(promoCode) === identityWithoutCase(other);
}

/** Writes an id or a code so that its Unicode form can be seen, such as `"cafe\u0301"`. */
export function escapedId(userId: string): string {
  return JSON.stringify(userId).replace(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
