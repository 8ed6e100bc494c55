import { isDeepStrictEqual } from 'node:util';
import type { ConfigsItem } from '../client-attributes.ts';
import { languageName } from '../configuration/check-translations.ts';
import { languageTag } from '../configuration/languages.ts';
import { fieldsById, whyNotShown } from '../configuration/shown-fields.ts';
import type { StoredMap } from '../configuration/stored-map.ts';
import type { Effect, Level } from './effect.ts';
import {
  changesOfField,
  type FieldEffect,
  ignoredChanges,
  kindOf,
  optionsText,
  screensOf,
} from './field-effects.ts';
import { languageEffects } from './language-effects.ts';
import {
  hiddenField,
  type LostFields,
  lossEffects,
  lostFields,
  servedFields,
} from './lost-fields.ts';
import { fieldLabel, listed, MOST_FIELDS, shown } from './words.ts';

/**
 * Lists the effects of a change from one configuration to another, harm first. Fields match by
 * their id.
 *
 * @param lost what customers lose by it, if some of them had another configuration.
 */
export function configurationEffects(
  before: ConfigsItem,
  after: ConfigsItem,
  lost: LostFields = lostFields(servedFields(before), servedFields(after)).live,
): Effect[] {
  const old = fieldsById(before.fields);
  const fresh = fieldsById(after.fields);
  const kept = [...fresh].filter(([id]) => old.has(id));
  const isRaisedByNewFields =
    kept.length < fresh.size && Number(after.lastFieldId) > Number(before.lastFieldId);
  const isReplaced =
    Array.isArray(after.fields) && !Array.isArray(before.fields) && before.fields !== undefined;
  const effects: Effect[] = lossEffects(lost);
  const add = (sentence: string, more = 'more changes', level: Level = 'neutral') =>
    void effects.push({ sentence, more, level });
  const addTo =
    (label: string) =>
    ({ words, more, level }: FieldEffect) =>
      add(`${label}${words}.`, more && `${label}: … ${more}`, level);
  const hiddenIds = new Set(lost.hidden.map(({ field }) => field.id));
  if (isReplaced) add('fields was not a list, so apps got no fields. It is replaced.');
  effects.push(...languageEffects(before, after));
  for (const [id, field] of old) {
    if (fresh.has(id)) continue;
    const loss = 'is removed. Customers keep their values, but no app shows them.';
    add(`${fieldLabel(field)} ${loss}`, '… more fields are removed', 'loss');
  }
  for (const [index, [id, field]] of [...fresh].entries()) {
    if (old.has(id)) continue;
    const kind = field.mandatory === true ? 'mandatory' : 'optional';
    const why = whyNotShown(field);
    const place =
      why === undefined
        ? `shown ${screensOf(field)}${optionsText(field)}`
        : `not shown to customers: ${why}`;
    const what = `${kindOf(field.fieldType)}, ${kind}, ${place}`;
    const added = `is added at position ${index + 1}: ${what}.`;
    const level = why === undefined ? 'neutral' : 'loss';
    add(`${fieldLabel(field)} ${added}`, '… more fields are added', level);
  }
  const changed = [...fresh].filter(([id, field]) => !isDeepStrictEqual(old.get(id), field));
  for (const [id, field] of changed) {
    const was = old.get(id);
    if (!was) continue;
    const label = fieldLabel(was);
    const [errorBefore, error] = [was, field].map(whyNotShown);
    if (errorBefore === undefined && error !== undefined) {
      if (!hiddenIds.has(field.id)) effects.push(hiddenField(was, error, 'loss'));
      continue;
    }
    if (errorBefore !== undefined && error === undefined)
      add(`${label} is shown to customers now.`);
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
  return effects;
}

/** Names the language of the texts. */
function nameOf(language: unknown): string {
  if (language === undefined) return 'unknown';
  const tag = languageTag(language);
  return tag === undefined ? shown(language) : languageName(tag);
}

/** Describes a change of order among the fields of both configurations. */
function orderOf(kept: ReadonlyMap<string, StoredMap>, old: readonly string[]): string[] {
  const before = old.filter((id) => kept.has(id));
  return isDeepStrictEqual(before, [...kept.keys()])
    ? []
    : [`The order of the fields is now ${listed([...kept.values()], fieldLabel, MOST_FIELDS)}.`];
}
