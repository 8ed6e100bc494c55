import { isDeepStrictEqual } from 'node:util';
import { ATTRIBUTES } from '../configuration/attributes.ts';
import { languageName } from '../configuration/check-translations.ts';
import { withoutOverruled } from '../configuration/derived-attributes.ts';
import { entryOf, type FieldKind, type InputKind, inputsOf } from '../configuration/kinds.ts';
import { listOf, mapOf, type StoredMap } from '../configuration/stored-map.ts';
import {
  languagesOf,
  type TranslatableText,
  textIn,
  textsOf,
} from '../configuration/translations.ts';
import { unknownPaths } from '../configuration/unknown-attributes.ts';
import { UIS } from '../configuration/warnings.ts';
import { attributePath } from '../finding.ts';
import { counted } from '../text.ts';
import type { Level } from './effect.ts';
import { listed, quoted, shown } from './words.ts';

/** An effect of a change of a field. */
export interface FieldEffect {
  /** Words that follow the name of the field. */
  readonly words: string;
  /** The name of further effects of this kind, such as `more options are removed`. */
  readonly more?: string | undefined;
  readonly level: Level;
}

const neutral = (words: string): FieldEffect => ({ words, level: 'neutral' });
const loss = (words: string): FieldEffect => ({ words, level: 'loss' });

/** Describes the change of an attribute, in words that follow the name of the field. */
type Describe = (before: unknown, after: unknown) => FieldEffect;

/** The names of attributes in sentences. */
const NAMES: Readonly<Record<string, string>> = {
  addButtonText: 'the text of the button that adds an answer',
  fieldName: 'the caption',
  maxChars: 'the longest answer',
  placeHolderText: 'the placeholder',
  subType: 'the kind of input',
};

const replaced =
  (name: string): Describe =>
  (before, after) =>
    neutral(`: ${own(NAMES, name) ?? name} is ${quoted(after)} instead of ${quoted(before)}`);
const choice =
  (yes: FieldEffect, no: FieldEffect): Describe =>
  (_, after) =>
    after === true ? yes : no;
const permits = (characters: string) =>
  choice(
    neutral(`permits ${characters}`),
    loss(`no longer permits ${characters}; existing values keep them`),
  );

/** The places of the inputs of a combo. */
const PLACE_OF_INPUT: Readonly<Record<string, string>> = {
  subFieldA: 'first',
  subFieldB: 'second',
};

/** The effect of each attribute's change on customers. */
const FIELD: Readonly<Record<string, Describe>> = {
  fieldName: (_, after) => loss(`is now called ${quoted(after)}`),
  fieldType: (before, after) =>
    loss(`changes from ${kindOf(before)} to ${kindOf(after)}; existing values may be invalid`),
  mandatory: choice(neutral('becomes mandatory'), neutral('becomes optional')),
  appUIs: (_, after) => {
    const { length } = placesOf(after);
    const words = `is now shown ${length === 1 ? 'only ' : ''}${screensOf({ appUIs: after })}`;
    return length === 0 ? loss(words) : neutral(words);
  },
  allowMultiple: choice(
    neutral('can be added several times'),
    loss('can no longer be added several times; existing values stay'),
  ),
  addButtonText: replaced('addButtonText'),
};
const SUB_FIELD: Readonly<Record<string, Describe>> = {
  subType: (before, after) => replaced('subType')(kindOf(before), kindOf(after)),
  placeHolderText: replaced('placeHolderText'),
  allowCopies: choice(
    neutral('accepts duplicate values'),
    loss('no longer accepts duplicate values'),
  ),
  alpha: permits('letters'),
  numbers: permits('digits'),
  symbols: permits('symbols'),
  maxChars: (before, after) => {
    const words = `accepts ${shown(after)} ${after === 1 ? 'character' : 'characters'} instead of ${shown(before)}`;
    return Number(after) < Number(before) ? loss(`${words}; longer values stay`) : neutral(words);
  },
};

/** The parts that are described separately. */
const APART = ['id', 'subFieldA', 'subFieldB', 'translations'];

/** Describes the differences of two fields, without attributes that do not reach apps. */
export function changesOfField(...stored: readonly [StoredMap, StoredMap]): FieldEffect[] {
  const [before = {}, after = {}] = stored.map(withoutOverruled);
  const effects = [
    ...changes(before, after, FIELD, APART, ATTRIBUTES.field),
    ...changesOfTranslations(before, after),
    ...Object.entries(PLACE_OF_INPUT).flatMap(([name, place]) => {
      const [old, fresh] = [mapOf(before[name]), mapOf(after[name])];
      const found = [
        ...changes(old, fresh, SUB_FIELD, ['optionsArray'], ATTRIBUTES.input),
        ...changesOfOptions(old.optionsArray, fresh.optionsArray),
      ];
      return hasSeveralInputs(after)
        ? found.map((effect) => ({ ...effect, words: ` (${place} input)${effect.words}` }))
        : found;
    }),
  ];
  const isRewritten =
    effects.length === 0 && !isDeepStrictEqual(before.translations, after.translations);
  return isRewritten ? [neutral(': its translations are written differently')] : effects;
}

function changes(
  before: StoredMap,
  after: StoredMap,
  known: Readonly<Record<string, Describe>>,
  apart: readonly string[],
  served: readonly string[],
): FieldEffect[] {
  return [...new Set([...Object.keys(known), ...served])]
    .filter((name) => !apart.includes(name))
    .map((name) => ({ name, one: own(before, name), other: own(after, name) }))
    .filter(({ one, other }) => !isDeepStrictEqual(one, other))
    .filter(
      ({ name, one, other }) =>
        name !== 'appUIs' || screensOf({ appUIs: one }) !== screensOf({ appUIs: other }),
    )
    .map(({ name, one, other }) => {
      const hasNewChoice = one === undefined && typeof other === 'boolean';
      const isComparable = typeof one === typeof other || hasNewChoice || name === 'appUIs';
      return ((isComparable && own(known, name)) || replaced(name))(one, other);
    })
    .map((effect) => ({
      ...effect,
      words: effect.words.startsWith(':') ? effect.words : ` ${effect.words}`,
    }));
}

/** Up to so many are listed, and the rest are counted: a field has space for fifty thousand. */
const MOST_IGNORED = 1000;

/**
 * Describes the differences in what the service does not know, at any depth of a field: by name, as
 * the attributes of a map have no order in DynamoDB.
 */
export function ignoredChanges(before: StoredMap, after: StoredMap): FieldEffect[] {
  const [old, fresh] = [unknownIn(before), unknownIn(after)];
  const changed = [...new Set([...old.keys(), ...fresh.keys()])]
    .filter((path) => !isDeepStrictEqual(old.get(path), fresh.get(path)))
    .sort();
  const more = 'more attributes that no app reads are changed';
  const others = changed.length - MOST_IGNORED;
  return [
    ...changed.slice(0, MOST_IGNORED).map((path) => {
      const change = fresh.has(path) ? quoted(fresh.get(path)) : 'removed';
      const name = shown(attributePath(JSON.parse(path)));
      const words = `: ${name}, which no app reads, is ${change}`;
      return { ...neutral(words), more };
    }),
    ...(others > 0 ? [neutral(`: ${others} ${more}`)] : []),
  ];
}

/** Returns the values of unknown attributes by their paths, as JSON. */
function unknownIn(field: StoredMap): Map<string, unknown> {
  return new Map(
    unknownPaths(field, []).map((path) => [
      JSON.stringify(path),
      path.reduce<unknown>((part, name) => Object(part)[name], field),
    ]),
  );
}

/** Returns an attribute of a map itself: objects inherit `constructor`, for example. */
function own<TValue>(map: Readonly<Record<string, TValue>>, name: string): TValue | undefined {
  return Object.hasOwn(map, name) ? map[name] : undefined;
}

/** Describes the differences of translations, by language. */
function changesOfTranslations(before: StoredMap, after: StoredMap): FieldEffect[] {
  if (isDeepStrictEqual(before.translations, after.translations)) return [];
  const byPath = (field: StoredMap) =>
    new Map(textsOf([field]).map((text) => [text.path.join('.'), text]));
  const [old, fresh] = [byPath(before), byPath(after)];
  const isOneOfTwo = hasSeveralInputs(after);
  const found = new Map(
    languagesOf({ fields: [before, after] }).map((tag) => [
      tag,
      { had: 0, has: 0, changes: [] as FieldEffect[] },
    ]),
  );
  for (const path of new Set([...old.keys(), ...fresh.keys()])) {
    const [was, is] = [old.get(path), fresh.get(path)];
    for (const tag of new Set(
      [was, is].flatMap((text) => [...(text?.translations.keys() ?? [])]),
    )) {
      const language = found.get(tag);
      if (!language) continue;
      if (was?.translations.has(tag)) language.had++;
      if (is?.translations.has(tag)) language.has++;
      language.changes.push(...changesOfText(tag, isOneOfTwo, textIn(tag, was), textIn(tag, is)));
    }
  }
  return [...found].flatMap(([tag, { had, has, changes }]) => {
    const texts = (size: number) =>
      `${counted(size, 'text')} in ${languageName(tag)} ${size === 1 ? 'is' : 'are'}`;
    if (had === 0 && has > 0) {
      return [{ ...neutral(`: ${texts(has)} added`), more: 'more fields are translated' }];
    }
    if (has === 0 && had > 0) {
      const words = `: its ${texts(had)} removed; customers see the original`;
      return [{ ...loss(words), more: 'more translations are removed' }];
    }
    return changes;
  });
}

/** Describes the change of a translation, with what customers saw before: it, or the original. */
function changesOfText(
  language: string,
  isOneOfTwo: boolean,
  was: TranslatableText | undefined,
  is: TranslatableText | undefined,
): FieldEffect[] {
  const [input = '', name, value] = (is ?? was)?.path ?? [];
  const [seen, sees] = [was, is].map((text) => text?.translation ?? (text?.original || undefined));
  // The removal of an option is described apart.
  const isGone = value !== undefined && !is;
  if (was?.translation === is?.translation || seen === sees || isGone) return [];
  const place = isOneOfTwo && name !== undefined ? ` (${PLACE_OF_INPUT[input]} input)` : '';
  const original = is?.original ?? '';
  const what = value === undefined ? NAMES[name ?? input] : `option ${quoted(original)}`;
  const begin = `${place} in ${languageName(language)}: ${what}`;
  const more = 'more translations are changed';
  const named = (text: string | undefined) => (text === undefined ? 'none' : quoted(text));
  if (is?.translation === undefined) {
    return [{ ...loss(`${begin} is no longer translated; customers see ${named(sees)}`), more }];
  }
  const verb = value === undefined ? 'is now' : was ? 'is now called' : 'is called';
  // An option is named by its original.
  const isSaid = value !== undefined && (!was || seen === original);
  const before = isSaid ? '' : ` (customers saw ${named(seen)})`;
  // As with the field's own texts, customers see another one.
  const words = `${begin} ${verb} ${quoted(sees)}${before}`;
  return [{ ...(was?.translation === undefined ? neutral(words) : loss(words)), more }];
}

function changesOfOptions(before: unknown, after: unknown): FieldEffect[] {
  const [old, fresh] = [optionsOf(before), optionsOf(after)];
  const [oldTexts, newTexts] = [displaysOf(before), displaysOf(after)];
  const isReordered = !isDeepStrictEqual(
    [...old.keys()].filter((key) => fresh.has(key)),
    [...fresh.keys()].filter((key) => old.has(key)),
  );
  const effects: FieldEffect[] = [];
  for (const [key, { value, display }] of old) {
    if (fresh.has(key)) continue;
    const option = `: option ${quoted(display)}`;
    if (newTexts.has(display)) {
      const words = `${option} has another value; customers who chose it keep ${quoted(value)}`;
      effects.push({ ...loss(words), more: 'more options have another value' });
    } else {
      const words = `${option} is removed; customers who chose it keep the value`;
      effects.push({ ...loss(words), more: 'more options are removed' });
    }
  }
  for (const [key, { display }] of fresh) {
    if (old.has(key) || oldTexts.has(display)) continue;
    const words = `: option ${quoted(display)} is added`;
    effects.push({ ...neutral(words), more: 'more options are added' });
  }
  for (const [key, { display }] of fresh) {
    const was = old.get(key)?.display;
    if (was === undefined || was === display) continue;
    const words = `: option ${quoted(was)} is now called ${quoted(display)}`;
    effects.push({ ...loss(words), more: 'more options have another text' });
  }
  return isReordered ? [...effects, neutral(': the options are reordered')] : effects;
}

/** An option, with texts for a sentence. */
interface NamedOption {
  readonly value: string;
  readonly display: string;
}

/** Returns options by value, and the second one with a value by its number: apps show each. */
function optionsOf(stored: unknown): ReadonlyMap<string, NamedOption> {
  const options = new Map<string, NamedOption>();
  const counts = new Map<string, number>();
  for (const option of listOf(stored).map(mapOf)) {
    const [value, display] = [textOf(option.value), textOf(option.display)];
    const number = (counts.get(value) ?? 0) + 1;
    counts.set(value, number);
    options.set(`${number} ${value}`, { value, display });
  }
  return options;
}

/** Returns the texts of options, also of those that have one value. */
function displaysOf(stored: unknown): ReadonlySet<string> {
  return new Set(
    listOf(stored)
      .map(mapOf)
      .map(({ display }) => textOf(display)),
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : shown(value);
}

/** The most options that are named of a field. */
const MAX_NAMED = 5;

/** Names the options of a field in a sentence; empty if it has none. */
export function optionsText({ subFieldA, subFieldB }: StoredMap): string {
  const all = [subFieldA, subFieldB].flatMap((input) => [...displaysOf(mapOf(input).optionsArray)]);
  if (all.length === 0) return '';
  return `, with the option${all.length === 1 ? '' : 's'} ${listed(all, quoted, MAX_NAMED)}`;
}

/** The place of each screen in a sentence. */
const PLACES: Readonly<Record<string, string>> = {
  register: 'at registration',
  profile: 'in the profile',
};

/** Names the screens of a field in a sentence. */
export function screensOf({ appUIs }: StoredMap): string {
  return placesOf(appUIs).join(' and ') || 'nowhere';
}

/** A field without `appUIs` is on each screen. */
function placesOf(appUIs: unknown): (string | undefined)[] {
  return UIS.filter((ui) => !Array.isArray(appUIs) || appUIs.includes(ui)).map((ui) => PLACES[ui]);
}

/** Names the kind of a field or of an input in a sentence. */
export function kindOf(type: unknown): string {
  return entryOf(KIND_NAMES, type) ?? shown(type);
}

const KIND_NAMES: Readonly<Record<FieldKind | InputKind, string>> = {
  text: 'text',
  drop: 'dropdown',
  combo: 'combination',
};

/** True for a field whose inputs have to be told apart. */
function hasSeveralInputs(field: StoredMap): boolean {
  return inputsOf(field).length > 1;
}
