/**
 * Returns the identity of a promo code of a client for which case does not count: the code with
 * ASCII letters in upper case. Nothing else is folded, because people do not agree on the case of
 * other letters: `ß` becomes `SS`, and in Turkish `ı` becomes `I`.
 */
export function identityWithoutCase(promoCode: string): string {
  return promoCode.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

/** An event, or an item of the table that somebody may have edited by hand. */
interface Identified {
  readonly promoCode?: string | undefined;
  /** An event without it has its code as its identity. */
  readonly codeIdentity?: string | undefined;
}

/** Tells whether an event is one of a code, however the case of that is typed. */
export function hasCode({ promoCode, codeIdentity }: Identified, code: string): boolean {
  return codeIdentity === undefined
    ? promoCode === code
    : codeIdentity === identityWithoutCase(code);
}
