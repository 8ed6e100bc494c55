import type { Finding } from '../finding.ts';
import { counted, onUse } from '../text.ts';
import { INPUTS } from './attributes.ts';
import { Translation } from './field.ts';
import { languageParts, languageTag, withoutRegion } from './languages.ts';
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
import { warningsOnSubField } from './warnings.ts';

/** Made when it is first used: `Intl` takes 17 ms for it, and most programs name no language. */
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

const error = (code: Finding['code'], path: Path, message: string): Finding => {
  return { severity: 'error', code, path, message };
};
const warning = (code: Finding['code'], path: Path, message: string): Finding => {
  return { severity: 'warning', code, path, message };
};

/** Checks the languages of a configuration, and the translations of its fields. */
export function checkTranslations(language: unknown, fields: readonly unknown[]): Finding[] {
  const own = languageTag(language);
  const findings = language === undefined ? [] : checkTag(language, ['language']);
  // Of a wrong tag, advice about its region would be wrong, too.
  if (own !== undefined && findings.length === 0) findings.push(...checkRegion(own, fields));
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
    const found = (code: Finding['code'], first: Text | undefined, message: string) => {
      if (!first) return [];
      const { index, path } = first;
      const key = translationKey(fields[index], language);
      return [warning(code, ['fields', index, 'translations', key, ...path], message)];
    };
    const theirs = translated.get(language) ?? [];
    const total = originals.length + theirs.filter(({ original }) => original === '').length;
    const missing = originals.find(({ translations }) => !translations.has(language));
    const same = theirs.filter(
      ({ original, translations }) => translations.get(language) === original,
    );
    const name = languageName(language);
    const all = counted(total, 'text');
    return [
      ...found(
        'notTranslated',
        missing,
        `is missing: ${name} lacks ${total - theirs.length} of ${all}`,
      ),
      ...found(
        'sameTranslation',
        same[0],
        `is the same as the original: ${name} repeats ${same.length} of ${all}`,
      ),
    ];
  });
}

/** Finds a region in the own language, unless the language without it has translations. */
function checkRegion(own: string, fields: readonly unknown[]): Finding[] {
  const general = withoutRegion(own);
  if (languageParts(own).region === undefined || languagesOf({ fields }).includes(general))
    return [];
  const message = `has a region, but apps of all regions get these texts; write ${general}`;
  return [warning('regionInLanguage', ['language'], message)];
}

/**
 * Codes of countries that are also codes of languages which few apps have, with the names of these
 * languages: browsers know half of them. Codes of languages with many readers, such as `sv` and
 * `ar`, are more probably right.
 */
const COUNTRIES = new Map([
  ['ae', 'Avestan'],
  ['ba', 'Bashkir'],
  ['bh', 'Bhojpuri'],
  ['bo', 'Tibetan'],
  ['br', 'Breton'],
  ['ch', 'Chamorro'],
  ['co', 'Corsican'],
  ['cr', 'Cree'],
  ['cu', 'Church Slavic'],
  ['ee', 'Ewe'],
  ['gn', 'Guarani'],
  ['ie', 'Interlingue'],
  ['kg', 'Kongo'],
  ['kr', 'Kanuri'],
  ['kw', 'Cornish'],
  ['lu', 'Luba-Katanga'],
  ['na', 'Nauru'],
  ['ng', 'Ndonga'],
  ['nr', 'South Ndebele'],
  ['sa', 'Sanskrit'],
  ['se', 'Northern Sami'],
  ['sg', 'Sango'],
  ['sm', 'Samoan'],
  ['ss', 'Swati'],
  ['tn', 'Tswana'],
  ['tt', 'Tatar'],
  ['tw', 'Akan'],
  ['ve', 'Venda'],
  ['za', 'Zhuang'],
]);

/** Warns of the code of a country, unless a region shows that the language is meant. */
function checkCountry(text: string, path: Path): Finding[] {
  const [code = '', ...others] = text.toLowerCase().split('-');
  const name = COUNTRIES.get(code);
  const isCountry = others.length === 0 || others.includes(code);
  if (name === undefined || !isCountry) return [];
  const meant = withoutRegion(new Intl.Locale(`und-${code}`).maximize().baseName);
  const message = `is ${name}. For ${languageName(meant)}, write ${meant}`;
  return [warning('unlikelyLanguage', path, message)];
}

/** Checks a language tag: that it is one, of a language that exists and is probably meant. */
export function checkTag(text: unknown, path: Path): Finding[] {
  const tag = languageTag(text);
  const written = typeof text === 'string' ? text : '';
  if (tag === undefined) {
    const meant = languageTag(written.trim().replaceAll('_', '-'));
    const message = `is not a language tag, such as de or pt-BR${meant ? `; write ${meant}` : ''}`;
    return [error('invalidLanguage', path, message)];
  }
  // CLDR has a script for each language of two letters, but not for each of three. Browsers know
  // all scripts, but not all names.
  const [language = ''] = tag.split('-');
  if (language.length > 2 || languageParts(language).script !== undefined)
    return checkCountry(written, path);
  const message = `begins with ${language}, which is the code of no language. Greek is el, for example, not gr`;
  return [warning('invalidLanguage', path, message)];
}

/** Checks the translations of a field, by languages of which each is there once. */
function checkField(field: StoredMap, own: string | undefined, path: Path): Finding[] {
  const { translations } = field;
  if (!isMap(translations) || Object.keys(translations).length > MOST_LANGUAGES) {
    const message = `must be a map of up to ${MOST_LANGUAGES} languages, such as de: { fieldName: Farbe }`;
    return [error('wrongType', path, message)];
  }
  const seen = new Map([[own, 'the texts outside translations']]);
  const options = Object.fromEntries(
    INPUTS.map((name) => [name, onUse(() => optionTexts(mapIn(field, name)))]),
  );
  return Object.entries(translations).flatMap(([name, translation]) => {
    const below = [...path, name];
    const tag = languageTag(name);
    if (tag === undefined) return checkTag(name, below);
    const earlier = seen.get(tag);
    if (earlier !== undefined) {
      const message = `is in the language of ${earlier}, and is not served`;
      return [...checkTag(name, below), error('duplicateLanguage', below, message)];
    }
    seen.set(tag, name);
    return [...checkTag(name, below), ...checkTranslation(field, options, translation, below)];
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
    ...errorsIn(Translation, withoutLists(translation, [...INPUTS, 'options'])).map(
      ({ code, path: below, message }) => error(code, [...path, ...below], message),
    ),
    ...INPUTS.filter((name) => map && Object.hasOwn(map, name)).flatMap((name) =>
      name === 'subFieldB' && field.fieldType !== 'combo'
        ? warning('overruled', [...path, name], 'is not served: the field has no second input')
        : checkInput(mapIn(field, name), options[name], mapIn(map, name), [...path, name]),
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

/** Finds texts of options that do not exist, and those that are probably wrong by themselves. */
function checkInput(
  input: StoredMap,
  own: OptionTexts | undefined,
  translated: StoredMap,
  path: Path,
): Finding[] {
  const options = mapIn(translated, 'options');
  const values = Object.keys(options);
  const { subType, maxChars } = input;
  const known = subType === 'text' ? undefined : own?.();
  const { placeHolderText } = translated;
  const optionsArray = values.map((value) => ({ display: options[value] }));
  const probable = warningsOnSubField({ subType, maxChars, placeHolderText, optionsArray });
  return [
    ...values
      .filter((value) => !known?.has(value))
      .map((value) => {
        const message = 'is not served: no option has this value';
        return warning('unknownOption', [...path, 'options', value], message);
      }),
    ...probable
      .filter(({ code }) =>
        ['placeholderTooLong', 'separatorInOption', 'duplicateOption'].includes(code),
      )
      .map(({ code, path: [name = '', index], message }) => {
        const below = name === 'optionsArray' ? ['options', values[Number(index)] ?? ''] : [name];
        return warning(code, [...path, ...below], message);
      }),
  ];
}
