import { isDeepStrictEqual } from 'node:util';
import type { ConfigsItem } from 'customer-data-api/clients';
import type { StoredMap } from 'customer-data-api/configuration';
import {
  describeHidden,
  fieldLabel,
  fieldsById,
  languageName,
  whyNotShown,
} from 'customer-data-api/configuration';
import {
  changesOfField,
  type Effect,
  ignoredChanges,
  kindOf,
  screensOf,
  shown,
} from './describe-field-changes.ts';

/** What a change means for customers and their data. */
export interface Change {
  readonly sentence: string;
  /** The name of further changes of this kind, such as `"Colour": … more options are removed`. */
  readonly more: string;
  /** Whether customers or their answers lose something. */
  readonly isLoss: boolean;
}

/** Describes the differences between two configurations, in sentences. Fields match by their id. */
export function describeChanges(before: ConfigsItem, after: ConfigsItem): string[] {
  return listChanges(before, after).map(({ sentence }) => sentence);
}

/** Lists the differences between two configurations. */
export function listChanges(before: ConfigsItem, after: ConfigsItem): Change[] {
  const old = fieldsById(before.fields);
  const fresh = fieldsById(after.fields);
  const kept = [...fresh].filter(([id]) => old.has(id));
  const isRaisedByNewFields =
    kept.length < fresh.size && Number(after.lastFieldId) > Number(before.lastFieldId);
  const isReplaced =
    Array.isArray(after.fields) && !Array.isArray(before.fields) && before.fields !== undefined;
  const changes: Change[] = [];
  const add = (sentence: string, more = 'more changes', isLoss = false) =>
    void changes.push({ sentence, more, isLoss });
  const addTo =
    (label: string) =>
    ({ words, more, isLoss }: Effect) =>
      add(`${label}${words}.`, more && `${label}: … ${more}`, isLoss);
  if (isReplaced) add('fields was not a list, so apps got no fields. It is replaced.');
  for (const [id, field] of old) {
    if (fresh.has(id)) continue;
    const loss = 'is removed. Customers keep their values, but no app shows them.';
    add(`${fieldLabel(field)} ${loss}`, '… more fields are removed', true);
  }
  for (const [index, [id, field]] of [...fresh].entries()) {
    if (old.has(id)) continue;
    const kind = field.mandatory === true ? 'mandatory' : 'optional';
    const why = whyNotShown(field);
    const place =
      why === undefined ? `shown ${screensOf(field)}` : `not shown to customers: ${why}`;
    const what = `${kindOf(field.fieldType)}, ${kind}, ${place}`;
    const added = `is added at position ${index + 1}: ${what}.`;
    add(`${fieldLabel(field)} ${added}`, '… more fields are added', why !== undefined);
  }
  const changed = [...fresh].filter(([id, field]) => !isDeepStrictEqual(old.get(id), field));
  for (const [id, field] of changed) {
    const was = old.get(id);
    if (!was) continue;
    const label = fieldLabel(was);
    const hidden = describeHidden(was, field);
    if (hidden !== undefined) {
      add(`${hidden}.`, '… more fields are no longer shown to customers', true);
      continue;
    }
    const isRepaired = whyNotShown(field) === undefined && whyNotShown(was) !== undefined;
    if (isRepaired) add(`${label} is shown to customers again.`);
    changesOfField(was, field).forEach(addTo(label));
  }
  for (const [id, field] of changed) {
    const was = old.get(id);
    ignoredChanges(was ?? {}, field).forEach(addTo(fieldLabel(was ?? field)));
  }
  if (!isDeepStrictEqual(before.language, after.language)) {
    const [was, is] = [before, after].map(({ language }) => nameOf(language));
    add(`The language of the texts is ${is} instead of ${was}.`);
  }
  for (const sentence of orderOf(new Map(kept), [...old.keys()])) add(sentence);
  if (!isDeepStrictEqual(before.lastFieldId, after.lastFieldId) && !isRaisedByNewFields) {
    add(`lastFieldId is ${shown(after.lastFieldId)} instead of ${shown(before.lastFieldId)}.`);
  }
  return changes;
}

/** Names the language of the texts. */
function nameOf(language: unknown): string {
  if (language === undefined) return 'unknown';
  return typeof language === 'string' ? languageName(language) : shown(language);
}

/** Describes a change of order among the fields of both configurations. */
function orderOf(kept: ReadonlyMap<string, StoredMap>, old: readonly string[]): string[] {
  const before = old.filter((id) => kept.has(id));
  return isDeepStrictEqual(before, [...kept.keys()])
    ? []
    : [`The order of the fields is now ${[...kept.values()].map(fieldLabel).join(', ')}.`];
}
