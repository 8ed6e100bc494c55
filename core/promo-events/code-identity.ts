/**
 * Returns the identity of a promo code of a client for which case does not count: the code with
 * ASCII letters in upper case. Nothing else is folded, because people do not agree on the case of
 * other letters: `ß` becomes `SS`, and in Turkish `ı` becomes `I`.
 */
export function identityWithoutCase(promoCode: string): string {
  return promoCode.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

/** Returns an event with the identity of its code, if the case of codes does not count. */
export function identified<T extends { readonly promoCode: string }>(
  event: T,
  ignoresCase: boolean | undefined,
): T & { codeIdentity?: string } {
  return ignoresCase ? { ...event, codeIdentity: identityWithoutCase(event.promoCode) } : event;
}
