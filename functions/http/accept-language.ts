import { languageTag } from '../../core/configuration/languages.ts';

/** Later ranges do not count: phones send a few. */
const MAX_RANGES = 20;
const MAX_CHARACTERS = 1000;
// RFC 9110 section 12.5.4: a basic language range (RFC 4647 section 2.1) with a weight.
const RANGE =
  /^(\*|[a-z]{1,8}(?:-[a-z\d]{1,8}){0,15})(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i;

/** What a customer reads, best first, and what they refuse. In the canonical form of tags. */
export interface AcceptedLanguages {
  readonly ranges: readonly string[];
  readonly refused: readonly string[];
}

/** Reads the values of `Accept-Language`, which count as one list. Undefined if it is malformed. */
export function readAcceptLanguage(values: readonly string[]): AcceptedLanguages | undefined {
  const list = values.join();
  if (list.length > MAX_CHARACTERS) return undefined;
  const members = list.split(',').map((member) => member.trim());
  const weighted: { readonly range: string; readonly weight: number }[] = [];
  for (const member of members.filter(Boolean).slice(0, MAX_RANGES)) {
    const [, range, weight = '1'] = RANGE.exec(member) ?? [];
    if (range === undefined) return undefined;
    // It stands for any other language, and without a match the response has the default anyway.
    if (range === '*') continue;
    weighted.push({ range: languageTag(range) ?? range, weight: Number(weight) });
  }
  return {
    ranges: weighted
      .filter(({ weight }) => weight > 0)
      .toSorted((one, other) => other.weight - one.weight)
      .map(({ range }) => range),
    refused: weighted.filter(({ weight }) => weight === 0).map(({ range }) => range),
  };
}

/**
 * Finds the best of some languages by lookup (RFC 4647 section 3.4): `de-AT` finds `de`, if there
 * is no `de-AT`. Undefined if none is accepted.
 */
export function lookUpLanguage(
  { ranges, refused }: AcceptedLanguages,
  has: (language: string) => boolean,
): string | undefined {
  for (const range of ranges) {
    const subtags = range.split('-');
    while (subtags.length > 0) {
      const text = subtags.join('-');
      const tag = languageTag(text) ?? text;
      if (has(tag) && !refused.includes(tag)) return tag;
      subtags.pop();
      // A single letter or digit introduces what follows it.
      if (subtags.at(-1)?.length === 1) subtags.pop();
    }
  }
  return undefined;
}
