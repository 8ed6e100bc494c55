import { isDeepStrictEqual } from 'node:util';
import type { ConfigsItem } from '../../core/client-attributes.ts';
import type { StoredMap } from '../../core/configuration/complete-field.ts';
import { readField } from '../../core/configuration/read-field.ts';
import { attributePath } from '../../core/finding.ts';
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
    ...[...fresh].flatMap(([id, field], index) => {
      if (old.has(id)) return [];
      const kind = field.mandatory === true ? 'mandatory' : 'optional';
      const why = whyNotShown(field);
      const loss = why === undefined ? '' : `, not shown to customers: ${why}`;
      return [
        `${fieldLabel(field)} is added as field ${index + 1}: ${kindOf(field.fieldType)}, ${kind}${loss}.`,
      ];
    }),
    ...kept.flatMap(([id, field]) => {
      const was = old.get(id) ?? {};
      const label = fieldLabel(was);
      const [before, why] = [was, field].map(whyNotShown);
      if (before === undefined && why !== undefined) {
        return [`${label} is no longer shown to customers: ${why}.`];
      }
      const changes = changesOfField(was, field).map((change) => `${label}${change}.`);
      const isRepaired = before !== undefined && why === undefined;
      return isRepaired ? [`${label} is shown to customers again.`, ...changes] : changes;
    }),
    ...orderOf(new Map(kept), [...old.keys()]),
    ...(isDeepStrictEqual(before.lastFieldId, after.lastFieldId) || isRaisedByNewFields
      ? []
      : [`lastFieldId is ${shown(after.lastFieldId)} instead of ${shown(before.lastFieldId)}.`]),
  ];
}

/** Describes the first error for which a field is left out; undefined if there is none. */
function whyNotShown(field: StoredMap): string | undefined {
  const [error] = readField(field).errors ?? [];
  return error && `${attributePath(error.path)} ${error.message}`;
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
