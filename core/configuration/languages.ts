/** The most results of each function that are kept: `Intl` takes 10 µs for one. */
const MOST_KEPT = 1000;
/**
 * The longest tag of RFC 5646 section 4.4.1. `Intl` takes seconds for one that fills an item, which
 * would be no header of a response either.
 */
const MOST_CHARACTERS = 35;

/** Keeps the results of a function: a client has a few languages in each field. */
function keeping<T>(make: (text: string) => T): (text: string) => T {
  const kept = new Map<string, { readonly made: T }>();
  return (text) => {
    let found = kept.get(text);
    if (!found) {
      found = { made: make(text) };
      if (kept.size >= MOST_KEPT) kept.clear();
      kept.set(text, found);
    }
    return found.made;
  };
}

const canonical = keeping((text): string | undefined => {
  try {
    return Intl.getCanonicalLocales(text)[0];
  } catch {
    return undefined;
  }
});

/** Returns a language tag (BCP 47) in canonical form, `de-DE` for `de-de`; undefined for none. */
export function languageTag(text: unknown): string | undefined {
  // `Intl` also takes the English name of a language for a tag.
  if (typeof text !== 'string' || text.length > MOST_CHARACTERS) return undefined;
  return /^[a-z]{2,3}(?:-|$)/i.test(text) ? canonical(text) : undefined;
}

/** The parts of a language tag. */
export interface LanguageParts {
  readonly tag: string;
  readonly language: string;
  /** The likely script if the tag has none: `Hant` for `zh-TW`. Undefined for unknown languages. */
  readonly script: string | undefined;
  readonly region: string | undefined;
}

/**
 * Returns the parts of a well-formed language tag, with the likely script of CLDR.
 * https://www.unicode.org/reports/tr35/#Likely_Subtags
 */
export const languageParts = keeping((tag): LanguageParts => {
  const locale = new Intl.Locale(tag);
  const { language, script = locale.maximize().script, region } = locale;
  return { tag: locale.baseName, language, script, region };
});
