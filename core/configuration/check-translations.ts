import type { Finding } from '../finding.ts';
import { counted, shortened } from '../text.ts';
import { INPUTS } from './attributes.ts';
import { isMap, type StoredMap } from './complete-field.ts';
import { Translation } from './field.ts';
import { languageTag } from './languages.ts';
import { errorsIn } from './read-field.ts';
import {
  languagesOf,
  MOST_LANGUAGES,
  mapIn,
  textsOf,
  translatedText,
  translationsOf,
} from './translations.ts';
import { warningsOnSubField } from './warnings.ts';

const LANGUAGES = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
/** The longest name in a message. */
const NAME_CHARACTERS = 40;

/** A text of a configuration in a language. */
export interface TranslatableText {
  /** The index of the field. */
  readonly index: number;
  /** The path in the field's translation. */
  readonly path: readonly string[];
  readonly original: string;
  /** Undefined if it is missing. */
  readonly translation: string | undefined;
}

/** Reads the texts of a configuration. Returns them in a language, in the order of the forms. */
export function readTexts(fields: unknown): (language: string) => TranslatableText[] {
  const list: readonly unknown[] = Array.isArray(fields) ? fields : [];
  const read = list.map((field) => ({ texts: textsOf(field), languages: translationsOf(field) }));
  return (language) =>
    read.flatMap(({ texts, languages }, index) =>
      texts.map(({ path, text }) => {
        const translation = translatedText(languages.get(language), path);
        return { index, path, original: text, translation };
      }),
    );
}

/** Checks the languages of a configuration, and the translations of its fields. */
export function checkTranslations(language: unknown, fields: readonly unknown[]): Finding[] {
  const own = languageTag(language);
  const translated = fields.flatMap((field, index) =>
    isMap(field) && Object.hasOwn(field, 'translations') ? [{ field, index }] : [],
  );
  const findings: Finding[] = [];
  if (language !== undefined) findings.push(...checkTag(language, ['language']));
  else if (translated.length > 0) {
    const message =
      'is missing; write the language of the texts outside translations, such as en. Without it, apps in that language may get another one';
    const path = ['language'];
    findings.push({ severity: 'warning', code: 'missingLanguage', path, message });
  }
  for (const { field, index } of translated) {
    const path = ['fields', index, 'translations'];
    const { translations } = field;
    if (!isMap(translations) || Object.keys(translations).length > MOST_LANGUAGES) {
      const message = 'must be a map of up to 100 languages, such as de: { fieldName: Farbe }';
      findings.push({ severity: 'error', code: 'wrongType', path, message });
      continue;
    }
    const seen = new Map<string, string>();
    for (const [name, translation] of Object.entries(translations)) {
      const found = checkTag(name, [...path, name]);
      const tag = languageTag(name);
      const earlier = tag === own ? 'the texts outside translations' : seen.get(tag ?? '');
      if (tag !== undefined && earlier !== undefined) {
        const message = `is in the language of ${earlier}, and is not served`;
        const code = 'duplicateLanguage';
        found.push({ severity: 'error', code, path: [...path, name], message });
      }
      if (tag !== undefined) seen.set(tag, name);
      for (const one of found) findings.push(one);
      if (!found.some(({ severity }) => severity === 'error')) {
        for (const one of checkTranslation(field, translation, [...path, name])) findings.push(one);
      }
    }
  }
  const others = languagesOf({ fields }).filter((tag) => tag !== own);
  if (others.length === 0) return findings;
  const textsIn = readTexts(fields);
  const checked = others.slice(0, MOST_LANGUAGES);
  return [...findings, ...checked.flatMap((tag) => checkLanguage(textsIn(tag), tag))];
}

/** Counts what a language lacks, in one finding: a new language lacks everything. */
function checkLanguage(texts: readonly TranslatableText[], language: string): Finding[] {
  const nameOf = ({ index, path }: TranslatableText) =>
    shortened(`fields[${index}].${path.join('.')}`, NAME_CHARACTERS);
  const warning = (
    code: Finding['code'],
    found: readonly TranslatableText[],
    message: string,
  ): Finding[] =>
    found[0] === undefined
      ? []
      : [
          {
            severity: 'warning',
            code,
            path: ['fields'],
            message: `${message} ${nameOf(found[0])}`,
          },
        ];
  const missing = texts.filter(({ translation }) => translation === undefined);
  const same = texts.filter(({ original, translation }) => original === translation);
  const [all, equal] = [texts.length, counted(same.length, 'text')];
  return [
    ...warning(
      'notTranslated',
      missing,
      `has no translation into ${language} of ${missing.length} of ${counted(all, 'text')}, first of`,
    ),
    ...warning('sameTranslation', same, `has ${equal} in ${language} equal to the original, first`),
  ];
}

function checkTag(text: unknown, path: Finding['path']): Finding[] {
  const tag = languageTag(text);
  const written = typeof text === 'string' ? text : '';
  if (tag === undefined) {
    const meant = languageTag(written.trim().replaceAll('_', '-'));
    const message = `is not a language tag, such as de or pt-BR${meant ? `; write ${meant}` : ''}`;
    return [{ severity: 'error', code: 'invalidLanguage', path, message }];
  }
  // `Intl` names every language with a code of two letters, but not every one of three.
  const [language = ''] = tag.split('-');
  if (language.length > 2 || LANGUAGES.of(language) !== undefined) return [];
  const message = `begins with ${language}, which is the code of no language. Greek is el, for example, not gr`;
  return [{ severity: 'warning', code: 'invalidLanguage', path, message }];
}

function checkTranslation(
  field: StoredMap,
  translation: unknown,
  path: Finding['path'],
): Finding[] {
  const errors = errorsIn(Translation, withoutLists(translation, [...INPUTS, 'options']));
  return [
    ...errors.map(
      (error): Finding => ({ severity: 'error', ...error, path: [...path, ...error.path] }),
    ),
    ...INPUTS.flatMap((name) => {
      const own = mapIn(translation, name);
      const options = mapIn(own, 'options');
      const [input, below] = [mapIn(field, name), [...path, name]];
      return [
        ...(isMap(translation) && name in translation
          ? unknownOptions(field, input, name, options, below)
          : []),
        ...warningsOnInput(input, own, options, below),
      ];
    }),
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

function unknownOptions(
  { fieldType }: StoredMap,
  { subType, optionsArray }: StoredMap,
  name: string,
  options: StoredMap,
  path: Finding['path'],
): Finding[] {
  const warning = (at: Finding['path'], message: string): Finding => {
    return { severity: 'warning', code: 'unknownOption', path: at, message };
  };
  if (name === 'subFieldB' && fieldType !== 'combo') {
    return [
      { ...warning(path, 'is not served: the field has no second input'), code: 'overruled' },
    ];
  }
  const list: readonly unknown[] = Array.isArray(optionsArray) ? optionsArray : [];
  const values = new Set(subType === 'text' ? [] : list.map((option) => Object(option).value));
  return Object.keys(options)
    .filter((value) => !values.has(value))
    .map((value) =>
      warning([...path, 'options', value], 'is not served: no option has this value'),
    );
}

/** Finds what is probably wrong with texts by themselves, as in the field's own. */
function warningsOnInput(
  { subType, maxChars }: StoredMap,
  { placeHolderText }: StoredMap,
  options: StoredMap,
  path: Finding['path'],
): Finding[] {
  const values = Object.keys(options);
  const optionsArray = values.map((value) => ({ display: options[value] }));
  return warningsOnSubField({ subType, maxChars, placeHolderText, optionsArray })
    .filter(({ code }) =>
      ['placeholderTooLong', 'separatorInOption', 'duplicateOption'].includes(code),
    )
    .map(({ code, path: [name = '', index], message }) => {
      const below = name === 'optionsArray' ? ['options', values[Number(index)] ?? ''] : [name];
      return { severity: 'warning', code, path: [...path, ...below], message };
    });
}
