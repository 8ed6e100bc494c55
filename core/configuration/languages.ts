/** Tags that were read before: `Intl` takes 10 µs for one, and a client has a few in each field. */
const read = new Map<string, string | undefined>();
const MOST_KEPT = 1000;
const MOST_CHARACTERS = 100;

/** Returns a language tag (BCP 47) in canonical form, `de-DE` for `de-de`; undefined for none. */
export function languageTag(text: unknown): string | undefined {
  // `Intl` also takes the English name of a language for a tag.
  if (typeof text !== 'string' || !/^[a-z]{2,3}(?:-|$)/i.test(text)) return undefined;
  if (read.has(text)) return read.get(text);
  const tag = canonical(text);
  if (read.size >= MOST_KEPT) read.clear();
  if (text.length < MOST_CHARACTERS) read.set(text, tag);
  return tag;
}

function canonical(text: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(text)[0];
  } catch {
    return undefined;
  }
}
