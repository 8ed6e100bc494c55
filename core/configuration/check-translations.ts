import { below, error, type Finding, warning } from '../finding.ts';
import { lazily } from '../lazily.ts';
import { counted } from '../text.ts';
import { INPUTS } from './attributes.ts';
import { Translation } from './field.ts';
import { hasOptions, inputsOf } from './kinds.ts';
import { languageParts, languageTag } from './languages.ts';
import { errorsIn } from './read-field.ts';
import { isMap, mapIn, type StoredMap } from './stored-map.ts';
import {
  languagesOf,
  MOST_LANGUAGES,
  optionTexts,
  type Text,
  textsByLanguage,
  textsOf,
  translationKey,
} from './translations.ts';
import { separators } from './warnings.ts';

/** The names, once used: `Intl` takes 17 ms for them, and most programs name no language. */
let names: Intl.DisplayNames | undefined;

/** Returns the English name of a language, or else its tag. */
export function languageName(tag: string): string {
  try {
    names ??= new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
    return names.of(tag) ?? tag;
  } catch {
    return tag;
  }
}

type Path = Finding['path'];

/** Checks the languages of a configuration, and the translations of its fields. */
export function checkTranslations(language: unknown, fields: readonly unknown[]): Finding[] {
  const own = languageTag(language);
  const findings = language === undefined ? [] : checkTag(language, ['language']);
  for (const [index, field] of fields.entries()) {
    if (!isMap(field) || !Object.hasOwn(field, 'translations')) continue;
    if (language === undefined && findings.length === 0) {
      const message =
        'is missing; write the language of the texts outside translations, such as en. Without it, apps in that language may get another one';
      findings.push(warning('missingLanguage', ['language'], message));
    }
    const path = ['fields', index, 'translations'];
    for (const one of checkField(field, own, path)) findings.push(one);
  }
  const others = languagesOf({ fields }).filter((tag) => tag !== own);
  const texts = textsOf(others.length > 0 ? fields : []);
  const checked = others.slice(0, MOST_LANGUAGES);
  return [...findings, ...checkLanguages(fields, texts, checked)];
}

/** Counts what each language lacks, in one finding at the first text: a new one lacks all. */
function checkLanguages(
  fields: readonly unknown[],
  texts: readonly Text[],
  languages: readonly string[],
): Finding[] {
  const originals = texts.filter(({ original }) => original !== '');
  const translated = textsByLanguage(texts);
  return languages.flatMap((language) => {
    const first = originals.find(({ translations }) => !translations.has(language));
    if (!first) return [];
    const { index, path } = first;
    const theirs = translated.get(language) ?? [];
    const total = originals.length + theirs.filter(({ original }) => original === '').length;
    const key = translationKey(fields[index], language);
    const lacks = `${total - theirs.length} of ${counted(total, 'text')}`;
    const message = `is missing: ${languageName(language)} lacks ${lacks}`;
    return [warning('notTranslated', ['fields', index, 'translations', key, ...path], message)];
  });
}

/** Checks a language tag: that it is one, of a language that exists. */
export function checkTag(text: unknown, path: Path): Finding[] {
  const tag = languageTag(text);
  if (tag === undefined) {
    return [error('invalidLanguage', path, 'is not a language tag, such as de or pt-BR')];
  }
  // CLDR has a script for each language of two letters, but not for each of three. Browsers know
  // all scripts, but not all names.
  const [language = ''] = tag.split('-');
  if (language.length > 2 || languageParts(language).script !== undefined) return [];
  const message = `begins with ${language}, which is the code of no language, so no device asks for it`;
  return [warning('invalidLanguage', path, message)];
}

/** Checks the translations of a field, by languages of which each is there once. */
function checkField(field: StoredMap, own: string | undefined, path: Path): Finding[] {
  const { translations } = field;
  if (!isMap(translations) || Object.keys(translations).length > MOST_LANGUAGES) {
    const message = `must be a map of up to ${MOST_LANGUAGES} languages, such as de: { fieldName: Farbe }`;
    return [error('wrongType', path, message)];
  }
  const seen = new Map([[own, 'the attribute language']]);
  const options = Object.fromEntries(
    INPUTS.map((name) => {
      const input = mapIn(field, name);
      return [name, lazily(() => (hasOptions(input) === false ? new Map() : optionTexts(input)))];
    }),
  );
  return Object.entries(translations).flatMap(([name, translation]) => {
    const place = [...path, name];
    const found = checkTag(name, place);
    const tag = languageTag(name);
    if (tag === undefined) return found;
    const earlier = seen.get(tag);
    if (earlier !== undefined) {
      const message = `apps do not get this: ${earlier} has this language`;
      return [...found, error('notServed', place, message)];
    }
    seen.set(tag, name);
    return [...found, ...checkTranslation(field, options, translation, place)];
  });
}

/** Returns the texts of an input's options, by value. */
type OptionTexts = () => ReadonlyMap<string, unknown>;

/** @param options those of each input. */
function checkTranslation(
  field: StoredMap,
  options: Readonly<Record<string, OptionTexts>>,
  translation: unknown,
  path: Path,
): Finding[] {
  const map = isMap(translation) ? translation : null;
  return [
    ...below(path, errorsIn(Translation, withoutLists(translation, [...INPUTS, 'options']))),
    ...INPUTS.filter((name) => map && Object.hasOwn(map, name)).flatMap((name) =>
      !inputsOf(field).includes(name)
        ? warning(
            'notServed',
            [...path, name],
            'apps do not get this: the field has no second input',
          )
        : checkInput(options[name], mapIn(map, name), [...path, name]),
    ),
  ];
}

/** Replaces by null what stands where a map belongs: the library takes a list for one, too. */
function withoutLists(value: unknown, maps: readonly string[]): unknown {
  if (!isMap(value)) return null;
  const parts = Object.entries(value).map(([name, part]) => [
    name,
    maps.includes(name) ? withoutLists(part, name === 'options' ? [] : maps) : part,
  ]);
  return Object.fromEntries(parts);
}

/** Finds texts of options that apps do not get, or that the website cuts. */
function checkInput(own: OptionTexts | undefined, translated: StoredMap, path: Path): Finding[] {
  const known = own?.();
  return Object.entries(mapIn(translated, 'options')).flatMap(([value, text]) => {
    const place = [...path, 'options', value];
    return known?.has(value)
      ? separators(text, place)
      : [warning('notServed', place, 'apps do not get this: no option has this value')];
  });
}
