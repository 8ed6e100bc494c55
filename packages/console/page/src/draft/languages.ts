import {
  languageName,
  languagesOf,
  languageTag,
  mapIn,
  readTexts,
  type TranslatableText,
} from 'customer-data-api/configuration';
import type { DraftContent } from '../answers.ts';
import { withAttribute } from './draft.ts';

/* The languages of a configuration. Pure functions. */

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const CODES = LETTERS.flatMap((one) => LETTERS.map((two) => languageTag(one + two) ?? ''));

/** The tags of two letters whose languages have a name. */
const LANGUAGES = [...new Set(CODES)].filter((tag) => languageName(tag) !== tag);

/** The names of those languages, in their order. */
export const LANGUAGE_NAMES = LANGUAGES.map((tag) => languageName(tag)).sort();

/** Finds the tag of a language by its name. */
export function tagOf(text: string): string | undefined {
  const name = text.trim().toLowerCase();
  return LANGUAGES.find((tag) => languageName(tag).toLowerCase() === name);
}

/** Lists the languages into which configurations are translated. */
export function translatedLanguages(...contents: readonly DraftContent[]): string[] {
  const own = contents.map(({ language }) => languageTag(language));
  const all = contents.flatMap(({ language, fields }) => languagesOf({ language, fields }));
  return [...new Set(all)].filter((tag) => !own.includes(tag));
}

/** Lists those of the added languages that have no text yet. */
export function emptyLanguages(content: DraftContent, added: readonly string[] = []): string[] {
  const others = [languageTag(content.language), ...translatedLanguages(content)];
  return added.filter((tag) => !others.includes(tag));
}

/** Lists the texts that a language lacks, in the order of the forms. */
export function missingTexts(fields: readonly unknown[], language: string): TranslatableText[] {
  return readTexts(fields)(language).filter(isMissing);
}

const isMissing = ({ translation }: TranslatableText) => translation === undefined;

/** Finds the next text that a language lacks, after some position; else the first one. */
export function nextMissing(
  fields: readonly unknown[],
  language: string,
  { index, path }: Pick<TranslatableText, 'index' | 'path'>,
): TranslatableText | undefined {
  const texts = readTexts(fields)(language);
  const last = texts.findIndex((one) => one.index === index && one.path.join() === path.join());
  const rest = texts.filter((one, at) => (last === -1 ? one.index >= index : at > last));
  return [...rest, ...texts].find(isMissing);
}

/** Scripts that are written from right to left. */
const RIGHT_TO_LEFT = ['Adlm', 'Arab', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Samr', 'Syrc', 'Thaa'];

/** Returns the attributes of an element with texts in a language; none if it is unknown. */
export function languageAttributes(tag: string | undefined) {
  if (tag === undefined) return {};
  const { script = '' } = new Intl.Locale(tag).maximize();
  return { lang: tag, dir: RIGHT_TO_LEFT.includes(script) ? 'rtl' : 'ltr' } as const;
}

/** Removes all translations into a language. */
export function withoutLanguage(fields: readonly unknown[], language: string): unknown[] {
  return fields.map((field) =>
    Object.keys(mapIn(field, 'translations'))
      .filter((name) => languageTag(name) === language)
      .reduce((rest, name) => withAttribute(rest, ['translations', name], undefined), field),
  );
}
