import { isDeepStrictEqual } from 'node:util';
import type { ConfigsItem } from '../../core/client-attributes.ts';
import type { StoredMap } from '../../core/configuration/complete-field.ts';
import {
  describeHidden,
  fieldLabel,
  fieldsById,
  whyNotShown,
} from '../../core/configuration/shown-fields.ts';
import { changesOfField, ignoredChanges, kindOf, screensOf, shown } from './describe-field.ts';

/**
 * Describes the differences between two configurations: what each change means for customers and
 * their data. Fields are matched by id.
 */
export function describeChanges(before: ConfigsItem, after: ConfigsItem): string[] {
  const old = fieldsById(before.fields);
  const fresh = fieldsById(after.fields);
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
    ...[...fresh].flatMap(([id, field], index) => {
      if (old.has(id)) return [];
      const kind = field.mandatory === true ? 'mandatory' : 'optional';
      const why = whyNotShown(field);
      const place =
        why === undefined ? `shown ${screensOf(field)}` : `not shown to customers: ${why}`;
      return [
        `${fieldLabel(field)} is added at position ${index + 1}: ${kindOf(field.fieldType)}, ${kind}, ${place}.`,
      ];
    }),
    ...kept.flatMap(([id, field]) => {
      const was = old.get(id) ?? {};
      const hidden = describeHidden(was, field);
      if (hidden !== undefined) return [`${hidden}.`];
      const label = fieldLabel(was);
      const changes = changesOfField(was, field).map((change) => `${label}${change}.`);
      const isRepaired = whyNotShown(was) !== undefined && whyNotShown(field) === undefined;
      return isRepaired ? [`${label} is shown to customers again.`, ...changes] : changes;
    }),
    ...[...fresh].flatMap(([id, field]) => {
      const was = old.get(id);
      return ignoredChanges(was ?? {}, field).map(
        (change) => `${fieldLabel(was ?? field)}${change}.`,
      );
    }),
    ...orderOf(new Map(kept), [...old.keys()]),
    ...(isDeepStrictEqual(before.lastFieldId, after.lastFieldId) || isRaisedByNewFields
      ? []
      : [`lastFieldId is ${shown(after.lastFieldId)} instead of ${shown(before.lastFieldId)}.`]),
  ];
}

/** Describes a change of order among the fields of both configurations. */
function orderOf(kept: ReadonlyMap<string, StoredMap>, old: readonly string[]): string[] {
  const before = old.filter((id) => kept.has(id));
  return isDeepStrictEqual(before, [...kept.keys()])
    ? []
    : [`The order of the fields is now ${[...kept.values()].map(fieldLabel).join(', ')}.`];
}
