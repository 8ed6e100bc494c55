import { isDeepStrictEqual } from 'node:util';
import type { ConfigsItem } from '../../core/client-attributes.ts';
import type { StoredMap } from '../../core/configuration/complete-field.ts';
import { asMap, changesOfField, fieldLabel, kindOf, shown } from './describe-field.ts';

/**
 * Describes the differences between two configurations: what each change means for customers and
 * their data. Fields are matched by id.
 */
export function describeChanges(before: ConfigsItem, after: ConfigsItem): string[] {
  const old = fieldsOf(before);
  const fresh = fieldsOf(after);
  const kept = [...fresh].filter(([id]) => old.has(id));
  const isRaisedByNewFields =
    kept.length < fresh.size && Number(after.lastFieldId) > Number(before.lastFieldId);
  const isReplaced =
    Array.isArray(after.fields) && !Array.isArray(before.fields) && before.fields !== undefined;
  return [
    ...(isReplaced ? ['fields was not a list, so apps got no fields. It is replaced.'] : []),
    ...[...old]
      .filter(([id]) => !fresh.has(id))
      .map(
        ([, field]) =>
          `${fieldLabel(field)} is removed. Customers keep their values, but no app shows them.`,
      ),
    ...[...fresh.keys()].flatMap((id, index) => {
      const field = fresh.get(id) ?? {};
      const kind = field.mandatory === true ? 'mandatory' : 'optional';
      return old.has(id)
        ? []
        : [
            `${fieldLabel(field)} is added as field ${index + 1}: ${kindOf(field.fieldType)}, ${kind}.`,
          ];
    }),
    ...kept.flatMap(([id, field]) => {
      const was = old.get(id) ?? {};
      return changesOfField(was, field).map((change) => `${fieldLabel(was)}${change}.`);
    }),
    ...orderOf(new Map(kept), [...old.keys()]),
    ...(isDeepStrictEqual(before.lastFieldId, after.lastFieldId) || isRaisedByNewFields
      ? []
      : [`lastFieldId is ${shown(after.lastFieldId)} instead of ${shown(before.lastFieldId)}.`]),
  ];
}

/** Returns the fields by id, or by position if they have none. */
function fieldsOf({ fields }: ConfigsItem): Map<string, StoredMap> {
  const list = Array.isArray(fields) ? fields : [];
  return new Map(
    list.map((field, index) => [
      typeof field?.id === 'string' ? `id ${field.id}` : `index ${index}`,
      asMap(field),
    ]),
  );
}

/** Describes a change of order among the fields of both configurations. */
function orderOf(kept: ReadonlyMap<string, StoredMap>, old: readonly string[]): string[] {
  const before = old.filter((id) => kept.has(id));
  return isDeepStrictEqual(before, [...kept.keys()])
    ? []
    : [`The order of the fields is now ${[...kept.values()].map(fieldLabel).join(', ')}.`];
}
