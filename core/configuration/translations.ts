import type { ConfigsItem } from '../client-attributes.ts';
import { isBlank } from '../stray-characters.ts';
import { optionLines } from './complete-field.ts';
import type { Field, SubField } from './field.ts';
import { hasOptions, inputsOf } from './kinds.ts';
import { languageTag } from './languages.ts';
import { attributeOf, isMap, listOf, mapIn, type StoredMap } from './stored-map.ts';

/*
 * A field may have `translations`: by language tag, the texts that customers read. Ids, values,
 * rules and order are shared. `language`, beside the fields, names the language of their own texts.
 */

/** A text of a configuration. */
export interface Text {
  /** The index of the field. */
  readonly index: number;
  /**
   * The path in the field's translation, such as `['subFieldA', 'options', 'vw']`: options have
   * their `value`.
   */
  readonly path: readonly string[];
  readonly original: string;
  /** The translations by language. */
  readonly translations: ReadonlyMap<string, string>;
}

/** A text of a configuration in a language. */
export interface TranslatableText extends Omit<Text, 'translations'> {
  /** Undefined if it is missing. */
  readonly translation: string | undefined;
}

/** The most languages of a field. */
export const MOST_LANGUAGES = 100;

/** Returns the translations of a stored field by canonical tag: the first of equal ones. */
export function translationsOf(field: unknown): Map<string, StoredMap> {
  const found = new Map<string, StoredMap>();
  for (const [name, translation] of Object.entries(mapIn(field, 'translations')).slice(
    0,
    MOST_LANGUAGES,
  )) {
    const tag = languageTag(name);
    if (tag !== undefined && isMap(translation) && !found.has(tag)) found.set(tag, translation);
  }
  return found;
}

/** Returns the name of a language in a field's translations: the tag may be written otherwise. */
export function translationKey(field: unknown, language: string): string {
  const names = Object.entries(mapIn(field, 'translations')).slice(0, MOST_LANGUAGES);
  const found = names.find(([name, value]) => isMap(value) && languageTag(name) === language);
  return found?.[0] ?? language;
}

/** Lists the languages of a configuration: that of its own texts first, if it is known. */
export function languagesOf({ language, fields }: ConfigsItem): string[] {
  const own = languageTag(language);
  const list = listOf(fields);
  return [
    ...new Set([
      ...(own === undefined ? [] : [own]),
      ...list.flatMap((field) => [...translationsOf(field).keys()]),
    ]),
  ];
}

/**
 * Lists the texts of a configuration in the order of the forms, each with its translations. Texts
 * with neither original nor translation are left out.
 */
export function textsOf(fields: unknown): Text[] {
  return listOf(fields).flatMap((field, index) => {
    const inputs = inputsOf(field);
    const ownOptions = (input: StoredMap) => (hasOptions(input) ? optionTexts(input) : []);
    const found = new Map(
      partsOf(field, inputs, ownOptions).map(([path, text]) => [
        path.join('.'),
        {
          index,
          path,
          original: isText(text) ? text : '',
          translations: new Map<string, string>(),
        },
      ]),
    );
    for (const [language, translation] of translationsOf(field)) {
      for (const [path, text] of partsOf(translation, inputs, translatedOptions)) {
        if (isText(text)) found.get(path.join('.'))?.translations.set(language, text);
      }
    }
    return [...found.values()].filter(
      ({ original, translations }) => original !== '' || translations.size > 0,
    );
  });
}

/** Groups the texts that are translated by language. */
export function textsByLanguage(texts: readonly Text[]): ReadonlyMap<string, readonly Text[]> {
  const found = new Map<string, Text[]>();
  for (const text of texts) {
    for (const language of text.translations.keys()) {
      const theirs = found.get(language);
      if (theirs) theirs.push(text);
      else found.set(language, [text]);
    }
  }
  return found;
}

/** Returns a text in a language; undefined if it has neither a translation nor an original. */
export function textIn(language: string, text: Text | undefined): TranslatableText | undefined {
  if (!text) return undefined;
  const { translations, ...others } = text;
  const translation = translations.get(language);
  return others.original !== '' || translation !== undefined
    ? { ...others, translation }
    : undefined;
}

/** Reads the texts of a configuration. Returns them in a language, in the order of the forms. */
export function readTexts(fields: unknown): (language: string) => TranslatableText[] {
  const texts = textsOf(fields);
  return (language) => texts.flatMap((text) => textIn(language, text) ?? []);
}

/** Lists what a field or its translation has at the places of texts, in the order of the form. */
function partsOf(
  map: unknown,
  inputs: readonly string[],
  optionsOf: (input: StoredMap) => Iterable<readonly [value: string, text: unknown]>,
): (readonly [path: readonly string[], text: unknown])[] {
  return [
    ...['fieldName', 'addButtonText'].map((name) => [[name], attributeOf(map, name)] as const),
    ...inputs.flatMap((name) => {
      const input = mapIn(map, name);
      return [
        [[name, 'placeHolderText'], attributeOf(input, 'placeHolderText')] as const,
        ...Array.from(
          optionsOf(input),
          ([value, text]) => [[name, 'options', value], text] as const,
        ),
      ];
    }),
  ];
}

function translatedOptions(input: StoredMap): [value: string, text: unknown][] {
  return Object.entries(mapIn(input, 'options'));
}

/** Returns the texts of an input's options by value: the first of equal ones. */
export function optionTexts({ optionsArray }: StoredMap): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>();
  for (const option of listOf(optionsArray)) {
    const value = attributeOf(option, 'value');
    if (typeof value !== 'string' || found.has(value)) continue;
    found.set(value, attributeOf(option, 'display'));
  }
  return found;
}

/** Returns a translated text; undefined if it is missing, of another type or blank. */
function translatedText(translation: unknown, path: readonly string[]): string | undefined {
  const text = path.reduce(attributeOf, translation);
  return isText(text) ? text : undefined;
}

/**
 * Returns a field in another language. A text that is missing there is the field's own. The
 * first of several options with one value is translated.
 */
export function translateField(field: Field, translation: unknown): Field {
  const text = (own: string, ...path: readonly string[]) =>
    translatedText(translation, path) ?? own;
  const translateInput = (input: SubField, name: string): SubField => {
    const placeHolderText = text(input.placeHolderText, name, 'placeHolderText');
    switch (input.subType) {
      case 'text':
        return { ...input, placeHolderText };
      case 'drop': {
        const seen = new Set<string>();
        const optionsArray = input.optionsArray.map(({ value, display }) => {
          // A text that many options shared would make the response many times as long as its item.
          const isFirst = !seen.has(value);
          seen.add(value);
          return { value, display: isFirst ? text(display, name, 'options', value) : display };
        });
        return { ...input, placeHolderText, options: optionLines(optionsArray), optionsArray };
      }
    }
  };
  const { subFieldA, subFieldB } = field;
  return {
    ...field,
    fieldName: text(field.fieldName, 'fieldName'),
    addButtonText: text(field.addButtonText, 'addButtonText'),
    subFieldA: translateInput(subFieldA, 'subFieldA'),
    subFieldB: 'subType' in subFieldB ? translateInput(subFieldB, 'subFieldB') : subFieldB,
  } as Field;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && !isBlank(value);
}
