import { isDeepStrictEqual } from 'node:util';
import type { ConfigsItem } from '../clients/client-record.ts';
import { changesOfIds, originsOf } from './changed-ids.ts';
import { asMap, changesOfField, nameOf, type StoredMap, shown } from './describe-field.ts';

/** The attributes of a configuration file that have sentences of their own, or none. */
const KNOWN: readonly string[] = ['clientId', 'base', 'lastFieldId', 'fields'];

/**
 * Describes the differences between two configurations: what each change means for customers and their data, in a sentence.
 * Fields are matched by id.
 */
export function describeChanges(before: ConfigsItem, after: ConfigsItem): string[] {
  const old = fieldsOf(before);
  const fresh = fieldsOf(after);
  const origins = originsOf(old, fresh);
  const originOf = (id: string) => (origins.has(id) ? origins.get(id) : id);
  const kept = [...fresh].flatMap(([id, field]) => {
    const origin = originOf(id);
    return old.has(id) && origin !== undefined ? [[origin, field] as const] : [];
  });
  const known = kept.map(([origin]) => origin);
  const removed = [...old].filter(([id]) => !known.includes(id));
  const added = [...fresh].filter(([id]) => !old.has(id) || originOf(id) === undefined);
  return [
    ...changesOfItem(before, after),
    ...changesOfIds(origins, old, fresh),
    ...removed.map(([id, field]) => {
      // If another field has its id, the sentence about that one says where its values appear.
      const values = fresh.has(id) ? '' : ': customers keep values that no app shows';
      return `${nameOf(field)} is removed${values}.`;
    }),
    ...added.map(([id, field]) => {
      const kind = field.mandatory === true ? 'mandatory' : 'optional';
      return `${nameOf(field)} is added as number ${[...fresh.keys()].indexOf(id) + 1}: ${shown(field.fieldType)}, ${kind}.`;
    }),
    ...kept.flatMap(([origin, field]) => {
      const was = old.get(origin) ?? {};
      return changesOfField(was, field).map((change) => `${nameOf(was)}${change}.`);
    }),
    ...orderOf(new Map(kept), [...old.keys()]),
    ...(isDeepStrictEqual(before.lastFieldId, after.lastFieldId)
      ? []
      : [`lastFieldId is ${shown(after.lastFieldId)} instead of ${shown(before.lastFieldId)}.`]),
  ];
}

/** The changes beside the fields: of `fields` itself, if it is not a list, and of attributes that the service does not know. */
function changesOfItem(before: ConfigsItem, after: ConfigsItem): string[] {
  const { fields } = before;
  const isReplaced = Array.isArray(after.fields) && !Array.isArray(fields) && fields !== undefined;
  const removed = Object.keys(before).filter(
    (name) => !KNOWN.includes(name) && !Object.hasOwn(after, name),
  );
  return [
    ...(isReplaced ? ['fields was not a list, so apps got none of it: it is replaced.'] : []),
    ...removed.map((name) => `The attribute ${name} is removed.`),
  ];
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

/** A sentence if the place of a field among the fields of both configurations has changed. */
function orderOf(kept: ReadonlyMap<string, StoredMap>, old: readonly string[]): string[] {
  const before = old.filter((id) => kept.has(id));
  return isDeepStrictEqual(before, [...kept.keys()])
    ? []
    : [`The order of the fields is now ${[...kept.values()].map(nameOf).join(', ')}.`];
}
