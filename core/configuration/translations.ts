import type { ConfigsItem } from '../client-attributes.ts';
import { isBlank } from '../invisible-characters.ts';
import { INPUTS } from './attributes.ts';
import { optionLines } from './complete-field.ts';
import type { Field } from './field.ts';
import { languageTag } from './languages.ts';
import { attributeOf, isMap, listOf, mapIn, type StoredMap } from './stored-map.ts';

/*
 * A field may have `translations`: by language tag, the texts that customers read. Ids, values,
 * rules and order are shared. `language`, beside the fields, names the language of their own texts.
 */

/** A text of a configuration in a language. */
export interface TranslatableText {
  /** The index of the field. */
  readonly index: number;
  /**
   * The path in the field's translation, such as `['subFieldA', 'options', 'vw']`: options have
   * their `value`.
   */
  readonly path: readonly string[];
  readonly original: string;
  /** Undefined if it is missing. */
  readonly translation: string | undefined;
}

/** The most languages of a field. */
export const MOST_LANGUAGES = 100;

/** Returns the translations of a stored field by canonical tag. Of equal tags, the first counts. */
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
  const names = Object.entries(mapIn(field, 'translations'));
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

/** Reads the texts of a configuration. Returns them in a language, in the order of the forms. */
export function readTexts(fields: unknown): (language: string) => TranslatableText[] {
  const list = listOf(fields);
  const read = list.map((field) => ({ texts: textsOf(field), languages: translationsOf(field) }));
  return (language) =>
    read.flatMap(({ texts, languages }, index) =>
      texts.flatMap(([path, original]) => {
        const translation = translatedText(languages.get(language), path);
        const isRead = original !== '' || translation !== undefined;
        return isRead ? { index, path, original, translation } : [];
      }),
    );
}

/** Lists the texts of a stored field by path, in the order of the form. A blank one is empty. */
function textsOf(field: unknown): [path: readonly string[], text: string][] {
  const isCombo = attributeOf(field, 'fieldType') === 'combo';
  const texts: ReturnType<typeof textsOf> = [];
  const add = (text: unknown, ...path: readonly string[]) =>
    texts.push([path, isText(text) ? text : '']);
  add(attributeOf(field, 'fieldName'), 'fieldName');
  add(attributeOf(field, 'addButtonText'), 'addButtonText');
  for (const name of INPUTS.slice(0, isCombo ? 2 : 1)) {
    const input = mapIn(field, name);
    add(input.placeHolderText, name, 'placeHolderText');
    for (const [value, text] of input.subType === 'drop' ? optionTexts(input) : []) {
      add(text, name, 'options', value);
    }
  }
  return texts;
}

/** Returns the texts of an input's options by value. Of equal values, the first counts. */
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
 * Returns a field in another language. A text that is missing there is the field's own. Of options
 * with one value, the first is translated.
 */
export function translateField(field: Field, translation: unknown): Field {
  const text = (own: string, ...path: readonly string[]) =>
    translatedText(translation, path) ?? own;
  const translateInput = (input: Field['subFieldA'], name: string): Field['subFieldA'] => {
    const placeHolderText = text(input.placeHolderText, name, 'placeHolderText');
    if (input.subType === 'text') return { ...input, placeHolderText };
    const seen = new Set<string>();
    const optionsArray = input.optionsArray.map(({ value, display }) => {
      // A text that many options shared would make the response many times as long as its item.
      const isFirst = !seen.has(value);
      seen.add(value);
      return { value, display: isFirst ? text(display, name, 'options', value) : display };
    });
    return { ...input, placeHolderText, options: optionLines(optionsArray), optionsArray };
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
