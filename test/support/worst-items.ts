import { parse } from 'yaml';
import { itemBytes, MAX_ITEM_BYTES } from '../../core/configuration/item-size.ts';
import { MOST_LANGUAGES } from '../../core/configuration/translations.ts';
import { PIZZA } from './configurations.ts';

/*
 * Items of a client that are as large as DynamoDB permits, and have as much of one thing as fits:
 * what takes longest to read, check and compare.
 */

const [DROP, TEXT, COMBO] = parse(PIZZA).fields;
const COMMON = { clientId: 'worst', appIds: ['demo-app-key'], lastFieldId: 1 };

type Item = Readonly<Record<string, unknown>>;

const short = (index: number) => index.toString(36);
const withOptions = (optionsArray: unknown[]) => ({
  fields: [{ ...DROP, subFieldA: { ...DROP.subFieldA, optionsArray } }],
});
const inFields = (fields: unknown[]) => ({ fields });
const dropdown = (texts: readonly string[]) => {
  const optionsArray = texts.map((text, index) => ({ value: short(index), display: text }));
  return { ...DROP, subFieldA: { ...DROP.subFieldA, optionsArray } };
};
/** Dropdowns in as many languages as one can have, and one with a third of all options. */
const inLanguages = (all: unknown[]) => {
  const entries = all as [tag: string, translation: unknown, text: string][];
  const parts = Object.values(
    Object.groupBy(entries.keys(), (index) => Math.floor(index / MOST_LANGUAGES)),
  );
  const texts = entries.map(([, , text]) => text);
  return {
    fields: [
      { ...dropdown(texts.slice(0, texts.length / 3)), id: 'options' },
      ...parts.map((indexes = [], id) => ({
        ...dropdown([texts[id] ?? '']),
        id: short(id),
        translations: Object.fromEntries(indexes.map((index) => entries[index] ?? [])),
      })),
    ],
  };
};
const named = (entries: unknown[]) => Object.fromEntries(entries as [string, unknown][]);

/**
 * The items by what they have much of. `variant` makes others of the same kind, and a smaller size
 * in bytes smaller ones.
 */
export function worstItems(
  variant = '',
  size = MAX_ITEM_BYTES,
): Readonly<Record<string, () => Item>> {
  const name = (index: number) => `${variant}${short(index)}`;
  /** Fills an item with as many entries as fit. */
  const filled = (entry: (index: number) => unknown, wrap: (entries: unknown[]) => Item): Item => {
    const item = (count: number) => ({
      ...COMMON,
      ...wrap(Array.from({ length: count }, (_, index) => entry(index))),
    });
    let count = Math.ceil(size / 20);
    let bytes = itemBytes(item(count));
    while (bytes > size || bytes < 0.97 * size) {
      count = Math.floor((0.99 * count * size) / bytes);
      bytes = itemBytes(item(count));
    }
    return item(count);
  };
  /** A field whose texts are as long as an item permits. */
  const long = (text: (count: number) => string): Item => {
    const count = Math.floor(size / 2.1 / Buffer.byteLength(text(1)));
    const subFieldA = { ...TEXT.subFieldA, placeHolderText: text(count) };
    return { ...COMMON, fields: [{ ...TEXT, fieldName: text(count), subFieldA }] };
  };
  return {
    options: () => filled((index) => ({ value: name(index), display: name(index) }), withOptions),
    'equal options': () => filled(() => ({ value: variant, display: variant }), withOptions),
    'options that are nothing': () => filled(() => null, withOptions),
    'options with only a misspelled attribute': () =>
      filled(() => ({ dispaly: variant }), withOptions),
    'equal values without texts': () => filled(() => ({ value: variant }), withOptions),
    'options with long misspelled attributes': () =>
      filled((index) => ({ [`dispIay${'_'.repeat(200)}${name(index)}`]: '' }), withOptions),
    'fields that are nothing': () => filled(() => null, inFields),
    'fields with one id': () => filled(() => ({ id: variant || '1' }), inFields),
    'misspelled fields': () => filled((index) => ({ fildType: 'text', id: name(index) }), inFields),
    'good fields': () =>
      filled(
        (index) => ({
          id: name(index),
          fieldType: 'text',
          fieldName: name(index),
          mandatory: true,
          appUIs: [],
          allowMultiple: false,
          subFieldA: { ...TEXT.subFieldA, placeHolderText: '' },
        }),
        inFields,
      ),
    combinations: () => filled((index) => ({ ...COMBO, id: name(index) }), inFields),
    'unknown attributes of the item': () =>
      filled(
        (index) => [`x${name(index)}`, null],
        (entries) => ({
          fields: [],
          ...named(entries),
        }),
      ),
    'unknown attributes of a field': () =>
      filled(
        (index) => [`x${name(index)}`, null],
        (entries) => ({
          fields: [{ ...TEXT, ...named(entries) }],
        }),
      ),
    'languages of fields': () =>
      filled(
        (index) => ({ ...TEXT, id: name(index), translations: { [`de-x-${name(index)}`]: {} } }),
        inFields,
      ),
    'languages and options': () =>
      filled((index) => [`de-x-${short(index)}`, {}, name(index)], inLanguages),
    'other languages and options': () =>
      filled((index) => [`de-x-${variant && 'v'}${short(index)}`, {}, short(index)], inLanguages),
    'languages with a text each': () =>
      filled(
        (index) => [`de-x-${short(index)}`, { fieldName: name(index) }, short(index)],
        inLanguages,
      ),
    'a field and others with its id': () =>
      filled(name, (entries) => ({
        fields: [
          dropdown(entries.map(String)),
          ...entries.slice(0, entries.length / 10).map(() => TEXT),
        ].map((field) => ({ ...field, id: '1' })),
      })),
    'translated options': () =>
      filled(
        (index) => [name(index), name(index)],
        (entries) => ({
          language: 'en',
          fields: [{ ...DROP, translations: { de: { subFieldA: { options: named(entries) } } } }],
        }),
      ),
    'a long attribute name': () => ({ ...COMMON, fields: [], [`c${'l'.repeat(60_000)}ient`]: 1 }),
    'unknown UIs': () =>
      filled(
        () => 'regist',
        (appUIs) => ({ fields: [{ ...TEXT, appUIs }] }),
      ),
    'a long text': () =>
      filled(
        () => 'ä',
        (texts) => ({
          fields: [{ ...TEXT, fieldName: `“${texts.join('\n')}”` }],
        }),
      ),
    'texts that were encoded again and again': () => long((count) => `&${'amp;'.repeat(count)}`),
    'a text with tags': () => long((count) => '<b'.repeat(count)),
    'a text that nobody sees': () => long((count) => '\u200b\u00ad'.repeat(count)),
    nesting: () => filled(() => nested(29), inFields),
    'App-Ids': () => filled(name, (appIds) => ({ appIds, fields: [] })),
    'labels of App-Ids': () =>
      filled(
        (index) => [name(index), ''],
        (entries) => ({
          appIdLabels: named(entries),
          fields: [],
        }),
      ),
  };
}

/** A value in as many lists. DynamoDB permits 32 levels. */
function nested(levels: number): unknown {
  let value: unknown = null;
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}
