import { comparableId, formsOf, StoredId } from 'customer-data-api/configuration';
import { identityWithoutCase } from 'customer-data-api/promo-events';
import * as v from 'valibot';

/*
 * The one comparison of users and codes in searches: exact, but for the case of a UUID, the Unicode
 * form of a user, and the case of A to Z in a code.
 */

/**
 * Returns a user id as it is, composed and decomposed: texts that look alike. For the service, each
 * is another user.
 */
export function unicodeForms(userId: string): string[] {
  const forms = new Set([userId, userId.normalize('NFC'), userId.normalize('NFD')]);
  // One that is too long for the table is the user of nothing.
  return [...forms].filter((form) => v.is(StoredId, form));
}

/** Returns the ids under which the table can have what a search for a user finds. */
export function searchedIds(userId: string): string[] {
  return unicodeForms(userId).flatMap(formsOf);
}

/** True if a search for a user finds what another id has. */
export function isSameUser(userId: string, other: string): boolean {
  return unicodeForms(userId).some((form) => comparableId(form) === comparableId(other));
}

/** True if a search for a code finds another one, whatever the client says about case. */
export function isSameCode(promoCode: string, other: string): boolean {
  return identityWithoutCase(promoCode) === identityWithoutCase(other);
}

/** Writes an id so that its Unicode form can be seen, such as `"cafe\u0301"`. */
export function escapedId(userId: string): string {
  return JSON.stringify(userId).replace(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
