import { isDeepStrictEqual } from 'node:util';
import { NumberValueImpl as NumberValue } from '@aws-sdk/util-dynamodb';
import type { ConfigsItem } from '../clients/client-record.ts';

type StoredMap = Readonly<Record<string, unknown>>;

/** How an attribute of a field or of one of its inputs changes, in words that follow the name of the field. */
type Describe = (before: unknown, after: unknown) => string;

const replaced =
  (what: string): Describe =>
  (before, after) => {
    // A number is not the text with its digits.
    const show = shown(before) === shown(after) ? JSON.stringify : shown;
    return `: ${what} is ${show(after)} instead of ${show(before)}`;
  };
const choice =
  (yes: string, no: string): Describe =>
  (_, after) =>
    after === true ? yes : no;
const permits = (characters: string) =>
  choice(`permits ${characters}`, `no longer permits ${characters}; values that have them stay`);

/** What customers notice of a change of an attribute. */
const FIELD: Readonly<Record<string, Describe>> = {
  fieldName: (_, after) => `is now called ${shown(after)}`,
  fieldType: (before, after) =>
    `becomes ${shown(after)} instead of ${shown(before)}; values that customers entered may not fit`,
  mandatory: choice('becomes mandatory', 'becomes optional'),
  appUIs: (before, after) => `is shown in ${shown(after)} instead of ${shown(before)}`,
  allowMultiple: choice(
    'can be added several times',
    'can no longer be added several times; further values that customers entered stay',
  ),
  addButtonText: replaced('the button for another one'),
};
const SUB_FIELD: Readonly<Record<string, Describe>> = {
  subType: replaced('the kind of input'),
  placeHolderText: replaced('the placeholder'),
  allowCopies: choice('accepts the same value twice', 'no longer accepts the same value twice'),
  alpha: permits('letters'),
  numbers: permits('digits'),
  symbols: permits('symbols'),
  maxChars: (before, after) =>
    `accepts ${shown(after)} characters instead of ${shown(before)}${Number(after) < Number(before) ? '; longer values stay' : ''}`,
};

/** The attributes of a configuration file that have sentences of their own, or none. */
const KNOWN: readonly string[] = ['clientId', 'base', 'lastFieldId', 'fields'];

/**
 * Describes the differences of two configurations in words: what customers and their data notice of it, a sentence for each
 * change. Fields belong together by their ids.
 */
export function describeChanges(before: ConfigsItem, after: ConfigsItem): string[] {
  const old = fieldsOf(before);
  const fresh = fieldsOf(after);
  const kept = [...fresh].filter(([id]) => old.has(id));
  const origins = originsOf(old, fresh);
  const originOf = (id: string) => origins.get(id) ?? id;
  const known = kept.map(([id]) => originOf(id));
  const removed = [...old].filter(([id]) => !fresh.has(id) && !known.includes(id));
  const added = [...fresh].filter(([id]) => !old.has(id));
  return [
    ...changesOfItem(before, after),
    ...changesOfIds(origins, old),
    ...removed.map(
      ([, field]) => `${nameOf(field)} is removed: customers keep values that no app shows.`,
    ),
    ...added.map(([id, field]) => {
      const kind = field.mandatory === true ? 'mandatory' : 'optional';
      return `${nameOf(field)} is added as number ${[...fresh.keys()].indexOf(id) + 1}: ${shown(field.fieldType)}, ${kind}.`;
    }),
    ...kept.flatMap(([id, field]) => {
      const was = old.get(originOf(id)) ?? {};
      return changesOfField(was, field).map((change) => `${nameOf(was)}${change}.`);
    }),
    ...orderOf(new Map(kept.map(([id, field]) => [originOf(id), field])), [...old.keys()]),
    ...(isDeepStrictEqual(before.lastFieldId, after.lastFieldId)
      ? []
      : [`lastFieldId is ${shown(after.lastFieldId)} instead of ${shown(before.lastFieldId)}.`]),
  ];
}

/** The changes beside the fields: of `fields` itself, if it is no list, and of attributes that the service does not know. */
function changesOfItem(before: ConfigsItem, after: ConfigsItem): string[] {
  const { fields } = before;
  const isReplaced = Array.isArray(after.fields) && !Array.isArray(fields) && fields !== undefined;
  const removed = Object.keys(before).filter((name) => !KNOWN.includes(name) && !(name in after));
  return [
    ...(isReplaced ? ['fields was not a list, so apps got none of it: it is replaced.'] : []),
    ...removed.map((name) => `The attribute ${name} is removed.`),
  ];
}

/**
 * Finds the fields that got the id of another one: they have the caption of a field that had a different id, and differ less from
 * that one than from the field whose id they have.
 *
 * @returns the keys in `old` by the keys in `fresh`.
 */
function originsOf(
  old: ReadonlyMap<string, StoredMap>,
  fresh: ReadonlyMap<string, StoredMap>,
): ReadonlyMap<string, string> {
  const withCaption = (fields: ReadonlyMap<string, StoredMap>, caption: unknown) =>
    [...fields].filter(([, { fieldName }]) => fieldName === caption).map(([id]) => id);
  const origins = new Map<string, string>();
  for (const [id, field] of fresh) {
    const before = old.get(id);
    const [origin, ...others] = withCaption(old, field.fieldName);
    const isOnly = others.length === 0 && withCaption(fresh, field.fieldName).length === 1;
    const isMoved = origin !== undefined && origin !== id;
    if (!before || !isOnly || !isMoved || !id.startsWith('id ')) continue;
    const distance = (one: StoredMap) => changesOfField(one, field).length;
    if (distance(old.get(origin) ?? {}) < distance(before)) origins.set(id, origin);
  }
  return origins;
}

/** What it means for customers that fields have the ids of others: their apps keep what they entered by id. */
function changesOfIds(
  origins: ReadonlyMap<string, string>,
  old: ReadonlyMap<string, StoredMap>,
): string[] {
  return [...origins].flatMap(([id, origin]) => {
    const [field, replaced] = [origin, id].map((key) => nameOf(old.get(key) ?? {}));
    if (origins.get(origin) !== id) {
      return [
        `${field} has the ${id} of ${replaced} now: what customers entered for ${replaced} appears in ${field}.`,
      ];
    }
    const isFirst = [...origins.keys()].indexOf(id) < [...origins.keys()].indexOf(origin);
    return isFirst
      ? [
          `${replaced} and ${field} have swapped their ids: what customers entered for one appears in the other.`,
        ]
      : [];
  });
}

/** The fields by id, or by position if they have none. */
function fieldsOf({ fields }: ConfigsItem): Map<string, StoredMap> {
  const list = Array.isArray(fields) ? fields : [];
  return new Map(
    list.map((field, index) => [
      typeof field?.id === 'string' ? `id ${field.id}` : `index ${index}`,
      asMap(field),
    ]),
  );
}

function changesOfField(before: StoredMap, after: StoredMap): string[] {
  return [
    // Fields are compared that belong together, also if their ids differ.
    ...changes(before, after, FIELD, ['id', 'subFieldA', 'subFieldB']),
    ...['subFieldA', 'subFieldB'].flatMap((name) => {
      const [one, other] = [asMap(before[name]), asMap(after[name])];
      const found = [
        ...changes(one, other, SUB_FIELD, ['optionsArray']),
        ...changesOfOptions(one.optionsArray, other.optionsArray),
      ];
      // Only a combo has two inputs to tell apart.
      return after.fieldType === 'combo' ? found.map((change) => ` (${name})${change}`) : found;
    }),
  ];
}

function changes(
  before: StoredMap,
  after: StoredMap,
  known: Readonly<Record<string, Describe>>,
  apart: readonly string[],
): string[] {
  return [...new Set([...Object.keys(known), ...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => !apart.includes(name) && !isDeepStrictEqual(before[name], after[name]))
    .map((name) => {
      const [one, other] = [before[name], after[name]];
      const hasNewChoice = one === undefined && typeof other === 'boolean';
      const isComparable = typeof one === typeof other || hasNewChoice;
      return ((isComparable && known[name]) || replaced(name))(one, other);
    })
    .map((change) => (change.startsWith(':') ? change : ` ${change}`));
}

function changesOfOptions(before: unknown, after: unknown): string[] {
  const [old, fresh] = [optionsOf(before), optionsOf(after)];
  const removed = [...old].filter(([value]) => !fresh.has(value));
  const added = [...fresh].filter(([value]) => !old.has(value));
  const renamed = [...fresh].filter(
    ([value, display]) => old.has(value) && old.get(value) !== display,
  );
  const isReordered = !isDeepStrictEqual(
    [...old.keys()].filter((value) => fresh.has(value)),
    [...fresh.keys()].filter((value) => old.has(value)),
  );
  return [
    ...removed.map(
      ([, display]) =>
        `: option ${display} is removed: customers who chose it keep a value that is no longer offered`,
    ),
    ...added.map(([, display]) => `: option ${display} is added`),
    ...renamed.map(([value, display]) => `: option ${old.get(value)} is now called ${display}`),
    ...(isReordered ? [': the options have another order'] : []),
  ];
}

/** The texts of options by their values. */
function optionsOf(stored: unknown): Map<string, string> {
  const list = Array.isArray(stored) ? stored.map(asMap) : [];
  return new Map(list.map(({ value, display }) => [shown(value), shown(display)]));
}

/** A sentence if the place of a field among the fields of both configurations has changed. */
function orderOf(kept: ReadonlyMap<string, StoredMap>, old: readonly string[]): string[] {
  const before = old.filter((id) => kept.has(id));
  return isDeepStrictEqual(before, [...kept.keys()])
    ? []
    : [`The order of the fields is now ${[...kept.values()].map(nameOf).join(', ')}.`];
}

function nameOf({ fieldName, id }: StoredMap): string {
  if (typeof fieldName === 'string' && fieldName !== '') return fieldName;
  return id === undefined ? 'A field without an id' : `Field ${shown(id)}`;
}

function asMap(value: unknown): StoredMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as StoredMap)
    : {};
}

/** A value in a sentence. */
function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value instanceof NumberValue) return value.toString();
  if (typeof value === 'string') return value === '' ? 'empty' : value;
  const isListOfTexts = Array.isArray(value) && value.every((part) => typeof part === 'string');
  if (isListOfTexts) return value.length === 0 ? 'no UI' : value.join(' and ');
  return JSON.stringify(value);
}
