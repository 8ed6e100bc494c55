import { isDeepStrictEqual } from 'node:util';
import { ATTRIBUTES, INPUTS } from '../configuration/attributes.ts';
import { withoutOverruled } from '../configuration/derived-attributes.ts';
import { type InputName, inputsOf } from '../configuration/kinds.ts';
import { listOf, mapOf, type StoredMap } from '../configuration/stored-map.ts';
import {
  languagesOf,
  type TranslatableText,
  textIn,
  textsOf,
} from '../configuration/translations.ts';
import { UIS } from '../configuration/warnings.ts';
import { isBlank } from '../stray-characters.ts';
import { type Effect, effect } from './effect.ts';
import { fieldFact, listed, quoted, shown } from './facts.ts';
import type { FieldFact, Listed, Screens, Written } from './words.ts';

/** The place of a change: the field and, if it has two inputs, which. */
interface Place {
  readonly field: FieldFact;
  readonly input: InputName | undefined;
}

/** Describes the change of an attribute. */
type Describe = (place: Place, before: unknown, after: unknown) => Effect;

const replaced =
  (attribute: string): Describe =>
  (place, before, after) =>
    effect('attributeChanged', {
      ...place,
      attribute,
      after: quoted(after),
      before: quoted(before),
    });
const permits =
  (characters: 'alpha' | 'numbers' | 'symbols'): Describe =>
  (place, _, after) =>
    effect(after === true ? 'permitted' : 'notPermitted', { ...place, characters });

/** The effect of each attribute's change on customers. */
const FIELD: Readonly<Record<string, Describe>> = {
  fieldName: ({ field }, _, after) =>
    typeof after === 'string' && isBlank(after)
      ? effect('captionRemoved', { field })
      : effect('captionChanged', { field, after: quoted(after) }),
  fieldType: ({ field }, before, after) =>
    effect('kindChanged', { field, former: shown(before), kind: shown(after) }),
  mandatory: ({ field }, _, after) => effect(after === true ? 'mandatory' : 'optional', { field }),
  appUIs: ({ field }, _, after) => {
    const screens = screensOf(after);
    return effect('screensChanged', { field, screens }, screens.length === 0 ? 'loss' : 'neutral');
  },
  allowMultiple: ({ field }, _, after) =>
    effect(after === true ? 'repeatable' : 'notRepeatable', { field }),
  addButtonText: replaced('addButtonText'),
};
const SUB_FIELD: Readonly<Record<string, Describe>> = {
  placeHolderText: replaced('placeHolderText'),
  allowCopies: (place, _, after) =>
    effect(after === true ? 'copiesAccepted' : 'copiesRefused', { ...place }),
  alpha: permits('alpha'),
  numbers: permits('numbers'),
  symbols: permits('symbols'),
  maxChars: (place, before, after) =>
    effect(Number(after) < Number(before) ? 'shortened' : 'lengthened', {
      ...place,
      most: shown(after),
      before: shown(before),
    }),
};

/** The effects in a combo, where a placeholder is the only caption of an input. */
const INPUT_OF_COMBO: typeof SUB_FIELD = {
  ...SUB_FIELD,
  placeHolderText: (place, _, after) => effect('inputRenamed', { ...place, after: quoted(after) }),
};

/** The parts that are described separately. */
const APART = ['id', 'subFieldA', 'subFieldB', 'translations'];
const APART_IN_INPUT = ['subType', 'optionsArray'];

/** Describes the differences of two fields, without attributes that do not reach apps. */
export function fieldEffects(...stored: readonly [StoredMap, StoredMap]): Effect[] {
  const [before = {}, after = {}] = stored.map(withoutOverruled);
  const field = fieldFact(stored[0]);
  return [
    ...attributeEffects({ field, input: undefined }, before, after, FIELD, APART, ATTRIBUTES.field),
    ...translationEffects(field, before, after),
    ...(areInputsExchanged(before, after)
      ? [effect('inputsExchanged', { field })]
      : INPUTS.flatMap((name) => inputEffects(field, name, before, after))),
  ];
}

/** Describes the differences of one input of two fields. */
function inputEffects(
  field: FieldFact,
  name: InputName,
  before: StoredMap,
  after: StoredMap,
): Effect[] {
  const [had, has] = [before, after].map((one) => inputsOf(one).includes(name));
  const [old, fresh] = [mapOf(before[name]), mapOf(after[name])];
  const isOneOfTwo = hasSeveralInputs(after);
  const place = { field, input: isOneOfTwo || !has ? name : undefined };
  if (!has) return had ? [effect('inputRemoved', place)] : [];
  if (!had) return [effect('inputAdded', { ...place, kind: shown(fresh.subType) })];
  // The kind of an only input is that of the field, and nothing else of it compares.
  if (!isDeepStrictEqual(old.subType, fresh.subType)) {
    const kinds = { former: shown(old.subType), kind: shown(fresh.subType) };
    return isOneOfTwo ? [effect('inputKindChanged', { ...place, ...kinds })] : [];
  }
  const known = isOneOfTwo && hasSeveralInputs(before) ? INPUT_OF_COMBO : SUB_FIELD;
  return [
    ...attributeEffects(place, old, fresh, known, APART_IN_INPUT, ATTRIBUTES.input),
    ...optionEffects(place, old.optionsArray, fresh.optionsArray),
  ];
}

/**
 * True if each input has the placeholder or the options that the other one had. Answers are stored
 * by position, so those of one would stand under the other.
 */
function areInputsExchanged(before: StoredMap, after: StoredMap): boolean {
  if (!hasSeveralInputs(before)) return false;
  return inputsOf(after).every((name) => {
    const [input, own] = [mapOf(after[name]), mapOf(before[name])];
    return INPUTS.some((other) => other !== name && isTakenOver(input, mapOf(before[other]), own));
  });
}

/** True if an input has what customers know another one by, and not what they knew it by. */
function isTakenOver(input: StoredMap, other: StoredMap, own: StoredMap): boolean {
  const { placeHolderText: caption } = input;
  const hasCaption = caption === other.placeHolderText && caption !== own.placeHolderText;
  const [values, others] = [valuesOf(input), valuesOf(other)];
  const hasValues =
    others.size > 0 && others.isSubsetOf(values) && !valuesOf(own).isSubsetOf(values);
  return (hasCaption && Boolean(caption)) || hasValues;
}

function valuesOf({ optionsArray }: StoredMap): ReadonlySet<string> {
  return new Set([...optionsOf(optionsArray).values()].map(({ value }) => value));
}

function attributeEffects(
  place: Place,
  before: StoredMap,
  after: StoredMap,
  known: Readonly<Record<string, Describe>>,
  apart: readonly string[],
  served: readonly string[],
): Effect[] {
  return [...new Set([...Object.keys(known), ...served])]
    .filter((name) => !apart.includes(name))
    .flatMap((name) => {
      const [was, is] = [own(before, name), own(after, name)];
      const [one, other] = [orFalse(was, is), orFalse(is, was)];
      const [old, fresh] = name === 'appUIs' ? [one, other].map(screensOf) : [one, other];
      if (isDeepStrictEqual(old, fresh)) return [];
      const describe = typeof old === typeof fresh ? own(known, name) : undefined;
      return (describe ?? replaced(name))(place, one, other);
    });
}

/** Returns false for a choice that is missing: apps take it for that. */
function orFalse(value: unknown, other: unknown): unknown {
  return value === undefined && typeof other === 'boolean' ? false : value;
}

/** Returns an attribute of a map itself: objects inherit `constructor`, for example. */
function own<TValue>(map: Readonly<Record<string, TValue>>, name: string): TValue | undefined {
  return Object.hasOwn(map, name) ? map[name] : undefined;
}

/** Describes the differences of translations, by language. */
function translationEffects(field: FieldFact, before: StoredMap, after: StoredMap): Effect[] {
  if (isDeepStrictEqual(before.translations, after.translations)) return [];
  const byPath = (field: StoredMap) =>
    new Map(textsOf([field]).map((text) => [text.path.join('.'), text]));
  const [old, fresh] = [byPath(before), byPath(after)];
  const isOneOfTwo = hasSeveralInputs(after);
  const changes = [...new Set([...old.keys(), ...fresh.keys()])].flatMap((path) => {
    const [was, is] = [old.get(path), fresh.get(path)];
    const tags = new Set([was, is].flatMap((text) => [...(text?.translations.keys() ?? [])]));
    return Array.from(tags, (tag) => ({ tag, was: textIn(tag, was), is: textIn(tag, is) }));
  });
  const byTag = Map.groupBy(changes, ({ tag }) => tag);
  return languagesOf({ fields: [before, after] }).flatMap((tag) => {
    const texts = byTag.get(tag) ?? [];
    const count = (side: 'was' | 'is') =>
      texts.filter((one) => one[side]?.translation !== undefined).length;
    const [had, has] = [count('was'), count('is')];
    const facts = { field, texts: { language: tag, count: Math.max(had, has) } };
    if (had === 0 && has > 0) return [effect('translated', facts)];
    if (has === 0 && had > 0) return [effect('notTranslated', facts)];
    return texts.flatMap(({ was, is }) => textEffects(field, tag, isOneOfTwo, was, is));
  });
}

/** Describes the change of a translation, with what customers saw before: it, or the original. */
function textEffects(
  field: FieldFact,
  tag: string,
  isOneOfTwo: boolean,
  was: TranslatableText | undefined,
  is: TranslatableText | undefined,
): Effect[] {
  const [input = '', name, value] = (is ?? was)?.path ?? [];
  const [seen, sees] = [was, is].map((text) => text?.translation ?? (text?.original || undefined));
  // The removal of an option is described apart.
  const isGone = value !== undefined && !is;
  if (was?.translation === is?.translation || seen === sees || isGone) return [];
  const original = is?.original ?? '';
  const isOption = value !== undefined;
  const text = {
    name: String(name ?? input),
    ...(isOption && { option: quoted(original), isNew: !was }),
  };
  const facts = {
    field,
    input: isOneOfTwo ? INPUTS.find((one) => one === input) : undefined,
    language: tag,
    sees: quoted(sees),
  };
  if (is?.translation === undefined) return [effect('translationRemoved', { ...facts, text })];
  // An option is named by its original.
  const isNamed = isOption && (!was || seen === original);
  const saw = isNamed ? undefined : { text: quoted(seen) };
  // As with the field's own texts, customers see another one.
  const level = was?.translation === undefined ? 'neutral' : 'loss';
  return [effect('translationChanged', { ...facts, changed: text, saw }, level)];
}

function optionEffects(place: Place, before: unknown, after: unknown): Effect[] {
  const [old, fresh] = [optionsOf(before), optionsOf(after)];
  const [oldTexts, newTexts] = [displaysOf(before), displaysOf(after)];
  const removed = [...old].filter(([key]) => !fresh.has(key));
  const kept = [...fresh].filter(([key]) => old.has(key)).map(([key]) => key);
  const keptBefore = [...old.keys()].filter((key) => fresh.has(key));
  return [
    ...removed.map(([, { value, display }]) => {
      const facts = { ...place, option: quoted(display) };
      return newTexts.has(display)
        ? effect('optionRevalued', { ...facts, value: quoted(value) })
        : effect('optionRemoved', facts);
    }),
    ...[...fresh].flatMap(([key, { display }]) =>
      old.has(key) || oldTexts.has(display)
        ? []
        : effect('optionAdded', { ...place, option: quoted(display) }),
    ),
    ...[...fresh].flatMap(([key, { display }]) => {
      const was = old.get(key)?.display ?? display;
      return was === display
        ? []
        : effect('optionRenamed', { ...place, option: quoted(was), after: quoted(display) });
    }),
    ...(isDeepStrictEqual(keptBefore, kept) ? [] : [effect('optionsReordered', { ...place })]),
  ];
}

/** Says which value the text of a new option had before. */
export function optionHadValue(field: StoredMap, name: InputName, was: NamedOption): Effect {
  return effect('optionHadValue', {
    field: fieldFact(field),
    input: hasSeveralInputs(field) ? name : undefined,
    option: quoted(was.display),
    value: quoted(was.value),
  });
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
  return typeof value === 'string' ? value : (shown(value) ?? 'nothing');
}

/** The most options that are named of a field. */
const MAX_NAMED = 5;

/** Lists the options of a field. */
export function optionsIn({ subFieldA, subFieldB }: StoredMap): Listed<Written> {
  const all = [subFieldA, subFieldB].flatMap((input) => [...displaysOf(mapOf(input).optionsArray)]);
  return listed(all.map(quoted), MAX_NAMED);
}

/** Lists the screens of a field. One without `appUIs` is on each. */
export function screensOf(appUIs: unknown): Screens {
  return UIS.filter((ui) => !Array.isArray(appUIs) || appUIs.includes(ui));
}

/** True for a field whose inputs have to be told apart. */
function hasSeveralInputs(field: StoredMap): boolean {
  return inputsOf(field).length > 1;
}
