import { pick } from '../../test/support/random-numbers.ts';

/** True once the clients of the runs ignore the case of codes. */
const IGNORES_CASE: boolean = false;

/** Returns the one form of a code, which a history names it by. */
export function formOf(code: string): string {
  const form = code.trim().normalize('NFC');
  return IGNORES_CASE ? form.toUpperCase() : form;
}

/** Types a code in one of the ways that mean the same code. */
export function typed(form: string, random: number): string {
  const ways = [form, ` ${form} `, form.normalize('NFD')];
  return pick(IGNORES_CASE ? [...ways, form.toLowerCase()] : ways, random);
}

/** Spells a date, in its normal form, in one of the ways that mean the same request. */
export function spelled(date: string, random: number): string {
  return pick([date, date.replace('Z', '+00:00'), date.replace('Z', '0Z')], random);
}
