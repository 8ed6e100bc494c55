import { languageParts, languageTag } from '../../core/configuration/languages.ts';
import type { AcceptedLanguages } from '../http/accept-language.ts';

/*
 * Languages that readers of others read, as far as their tags do not show it.
 * https://github.com/unicode-org/cldr/blob/release-48/common/supplemental/supplementalData.xml
 */

/** The children of a parent in CLDR's `parentLocales`, by their regions. */
const REGIONS = {
  'en-Latn-001':
    '150 AG AI AU BB BM BS BW BZ CC CK CM CX CY DG DM ER FJ FK FM GB GD GG GH GI GM GS GY HK ID IE IL IM IN IO JE JM KE KI KN KY LC LR LS MG MO MS MT MU MV MW MY NA NF NG NR NU NZ PG PK PN PW RW SB SC SD SG SH SL SS SX SZ TC TK TO TT TV TZ UG VC VG VU WS ZA ZM ZW',
  'en-Latn-150': 'AT BE CH CZ DE DK EE ES FI FR GE HU IT LT LV NL NO PL PT RO SE SI SK UA',
  'es-Latn-419': 'AR BO BR BZ CL CO CR CU DO EC GT HN JP MX NI PA PE PR PY SV US UY VE',
  'pt-Latn-PT': 'AO CH CV FR GQ GW LU MO MZ ST TL',
  'zh-Hant-HK': 'MO',
};

/** The parent of a language with script and region, where it is not the one without the region. */
const PARENTS: ReadonlyMap<string, string> = new Map(
  Object.entries(REGIONS).flatMap(([parent, regions]) =>
    regions.split(' ').map((region) => [parent.replace(/[^-]+$/, region), parent] as const),
  ),
);

/**
 * The languages that readers of another one read, best first. `no` is the parent of `nb` and `nn`,
 * and means `nb` (`languageMatching`).
 */
const ALSO_READ: ReadonlyMap<string, readonly string[]> = new Map([
  ['nb', ['no']],
  ['nn', ['no', 'nb']],
  ['no', ['nb']],
]);

/** Language, script and region, with the rest of a tag. */
const TAG = /^([a-z]{2,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?)((?:-.*)?)$/i;

/** A language range, or a tag. */
interface Range {
  /** The tag in canonical form. */
  readonly tag: string;
  /** The tag with its script: `zh-TW` and `zh-Hant-TW` have one name. */
  readonly name: string;
  readonly language: string;
  /** The name of the language in its script. */
  readonly base: string;
  /** The names of it and its parents, best first. */
  readonly chain: readonly string[];
}

/** Reads a range or a tag. Undefined if it begins with no language. */
function readRange(text: string): Range | undefined {
  const [, head, rest = ''] = TAG.exec(text) ?? [];
  if (head === undefined) return undefined;
  const { tag, language, script, region } = languageParts(head);
  const withScript = (read: string) => (script === undefined ? read : `${read}-${script}`);
  const more = `${region === undefined ? '' : `-${region}`}${rest.toLowerCase()}`;
  const base = withScript(language);
  const chain: string[] = [];
  for (const read of [language, ...(ALSO_READ.get(language) ?? [])]) {
    const end = withScript(read);
    let next = `${end}${more}`;
    for (; next.length > end.length; next = parentOf(next)) chain.push(next);
    chain.push(end);
  }
  return { tag: `${tag}${rest.toLowerCase()}`, name: `${base}${more}`, language, base, chain };
}

/** Returns the language of a range or a tag in canonical form, which costs less than all of it. */
function languageOf(text: string): string | undefined {
  return languageTag(text.replace(/-.*/, ''))?.replace(/-.*/, '');
}

/** Returns CLDR's parent of a tag, or else the tag without its last part. */
function parentOf(tag: string): string {
  // A single letter or digit introduces what follows it.
  return PARENTS.get(tag) ?? tag.replace(/(?:-[^-])?-[^-]+$/, '');
}

/**
 * Makes a function that chooses the best of some languages, or undefined if none is accepted. Of
 * each range in turn, it looks up the language and its parents (RFC 4647 section 3.4, with likely
 * scripts), then takes the own language if only its region differs, and then another script.
 *
 * @param tags in canonical form.
 * @param own the language of the configuration's own texts, one of `tags`.
 */
export function languageChooser(
  tags: ReadonlySet<string>,
  own: string | undefined,
): (accepted: AcceptedLanguages) => string | undefined {
  const byName = new Map<string, string>();
  for (const tag of tags) {
    const { name = tag } = readRange(tag) ?? {};
    if (!byName.has(name)) byName.set(name, tag);
  }
  // Two tags that mean one thing are each found by their own name.
  for (const tag of tags) byName.set(tag, tag);
  const languages = new Set([...tags].map(languageOf));
  for (const [language, read] of ALSO_READ) {
    if (read.some((one) => languages.has(one))) languages.add(language);
  }
  const ownBase = (own !== undefined && readRange(own)?.base) || '';

  return (accepted) => {
    const isKnown = (range: string) => languages.has(languageOf(range));
    const ranges = accepted.ranges.filter(isKnown);
    const refused = accepted.refused.filter(isKnown);
    const isRefused = refused.length === 0 ? () => false : refusal(ranges, refused);
    for (const range of ranges) {
      const read = readRange(range);
      if (!read) continue;
      const sameLanguage = own !== undefined && read.chain.includes(ownBase) ? [own] : [];
      for (const name of [read.tag, ...read.chain, ...sameLanguage, read.language]) {
        const found = byName.get(name);
        if (found !== undefined && !isRefused(found)) return found;
      }
    }
    return undefined;
  };
}

/** Makes a function that tells if a language is refused: by the most specific range that has it. */
function refusal(ranges: readonly string[], refused: readonly string[]) {
  const namesOf = (all: readonly string[]) =>
    new Set(all.flatMap((range) => readRange(range)?.name ?? []));
  const [accepted, not] = [namesOf(ranges), namesOf(refused)];
  return (tag: string): boolean => {
    const deciding = readRange(tag)?.chain.find((name) => not.has(name) || accepted.has(name));
    return deciding !== undefined && not.has(deciding);
  };
}
