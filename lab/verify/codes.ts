import { pick } from '../../test/support/random-numbers.ts';

/**
 * Returns the one form of a code, which a history names it by: the clients ignore its case. It is
 * written here again, so that a mistake in the service's own rule is found.
 */
export function formOf(code: string): string {
  return storedForm(code).replaceAll(/[a-z]/g, (letter) => letter.toUpperCase());
}

/** Returns a code as it is stored, in the case in which it was typed. */
export function storedForm(code: string): string {
  return code.trim().normalize('NFC');
}

/** Types a code in one of the ways that mean the same code. */
export function typed(form: string, random: number): string {
  const small = form.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  return pick([form, ` ${form} `, form.normalize('NFD'), small], random);
}

/** Spells a date, in its normal form, in one of the ways that mean the same request. */
export function spelled(date: string, random: number): string {
  return pick([date, date.replace('Z', '+00:00'), date.replace('Z', '0Z')], random);
}
