import type { ConfigsItem } from '../client-attributes.ts';
import { isBlank } from '../invisible-characters.ts';
import { FIELD_TEXTS, INPUT_TEXTS, INPUTS } from './attributes.ts';
import { isMap, optionLines, type StoredMap } from './complete-field.ts';
import type { Field } from './field.ts';
import { languageTag } from './languages.ts';

/*
 * A field may have `translations`: by language tag, the texts that customers read. Ids, values,
 * rules and order are shared. `language`, beside the fields, names the language of their own texts.
 */

/** A text of a field, and its path in the field's translations. */
export interface FieldText {
  /** Such as `['subFieldA', 'options', 'vw']`: options have their `value`. */
  readonly path: readonly string[];
  readonly text: string;
}

type Stored = Pick<FieldText, 'path'> & { readonly text: unknown };

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
  const list: readonly unknown[] = Array.isArray(fields) ? fields : [];
  return [
    ...new Set([
      ...(own === undefined ? [] : [own]),
      ...list.flatMap((field) => [...translationsOf(field).keys()]),
    ]),
  ];
}

/** Lists what customers read of a stored field, in the order of the form. */
export function textsOf(field: unknown): FieldText[] {
  const texts = (map: StoredMap, names: readonly string[], below: readonly string[]): Stored[] =>
    names.map((name) => ({ path: [...below, name], text: map[name] }));
  const isCombo = isMap(field) && field.fieldType === 'combo';
  return [
    ...texts(isMap(field) ? field : {}, FIELD_TEXTS, []),
    ...INPUTS.slice(0, isCombo ? 2 : 1).flatMap((name) => {
      const input = mapIn(field, name);
      const options = input.subType === 'drop' ? [...optionTexts(input)] : [];
      return [
        ...texts(input, INPUT_TEXTS, [name]),
        ...options.map(([value, text]): Stored => ({ path: [name, 'options', value], text })),
      ];
    }),
  ].filter((text): text is FieldText => isText(text.text));
}

/** Returns the texts of options by value. Of equal values, the first counts. */
function optionTexts({ optionsArray }: StoredMap): Map<string, unknown> {
  const found = new Map<string, unknown>();
  for (const option of Array.isArray(optionsArray) ? optionsArray : []) {
    if (!isMap(option) || typeof option.value !== 'string') continue;
    if (!found.has(option.value)) found.set(option.value, option.display);
  }
  return found;
}

/** Lists the texts of a translation, in the order of the form. */
export function textsOfTranslation(translation: unknown): FieldText[] {
  return [
    ...FIELD_TEXTS.map((name) => [name]),
    ...INPUTS.flatMap((name) => {
      const options = Object.keys(mapIn(mapIn(translation, name), 'options'));
      return [
        ...INPUT_TEXTS.map((one) => [name, one]),
        ...options.map((one) => [name, 'options', one]),
      ];
    }),
  ].flatMap((path) => {
    const text = translatedText(translation, path);
    return text === undefined ? [] : [{ path, text }];
  });
}

/** Returns a translated text; undefined if it is missing, of another type or blank. */
export function translatedText(translation: unknown, path: readonly string[]): string | undefined {
  let value = translation;
  for (const name of path) value = own(value, name);
  return isText(value) ? value : undefined;
}

/** Returns a field in another language. A text that is missing there is the field's own. */
export function translateField(field: Field, translation: unknown): Field {
  const text = (own: string, ...path: readonly string[]) =>
    translatedText(translation, path) ?? own;
  const translateInput = (input: Field['subFieldA'], name: string): Field['subFieldA'] => {
    const placeHolderText = text(input.placeHolderText, name, 'placeHolderText');
    if (input.subType === 'text') return { ...input, placeHolderText };
    const optionsArray = input.optionsArray.map(({ value, display }) => ({
      value,
      display: text(display, name, 'options', value),
    }));
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

/** Returns a map in a map, or an empty one. */
export function mapIn(map: unknown, name: string): StoredMap {
  const value = own(map, name);
  return isMap(value) ? value : {};
}

/** Returns what a map has itself: an option can have the value `constructor`. */
function own(map: unknown, name: string): unknown {
  return isMap(map) && Object.hasOwn(map, name) ? map[name] : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && !isBlank(value);
}
