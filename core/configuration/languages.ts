/** Tags that were read before: `Intl` takes 10 µs for one, and a client has a few in each field. */
const tags = new Map<string, string | undefined>();
const MOST_KEPT = 1000;
/**
 * The longest tag of RFC 5646 section 4.4.1. `Intl` takes seconds for one that fills an item, which
 * would be no header of a response either.
 */
const MOST_CHARACTERS = 35;

/** Returns a language tag (BCP 47) in canonical form, `de-DE` for `de-de`; undefined for none. */
export function languageTag(text: unknown): string | undefined {
  // `Intl` also takes the English name of a language for a tag.
  if (typeof text !== 'string' || text.length > MOST_CHARACTERS) return undefined;
  if (!/^[a-z]{2,3}(?:-|$)/i.test(text)) return undefined;
  if (tags.has(text)) return tags.get(text);
  const tag = canonical(text);
  if (tags.size >= MOST_KEPT) tags.clear();
  tags.set(text, tag);
  return tag;
}

function canonical(text: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(text)[0];
  } catch {
    return undefined;
  }
}
