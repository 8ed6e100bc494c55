import { isDeepStrictEqual } from 'node:util';
import type { ConfigsItem } from '../client-attributes.ts';
import { languageTag } from '../configuration/languages.ts';
import { fieldsById, whyNotShown } from '../configuration/shown-fields.ts';
import type { StoredMap } from '../configuration/stored-map.ts';
import { type Effect, effect } from './effect.ts';
import { fieldFact, fieldFacts, shown } from './facts.ts';
import { fieldEffects, optionsIn, screensOf } from './field-effects.ts';
import { languageEffects } from './language-effects.ts';
import {
  hiddenField,
  type LostFields,
  lossEffects,
  lostFields,
  servedFields,
} from './lost-fields.ts';

/**
 * Lists the effects of a change from one configuration to another, as operators write them, harm
 * first. Fields match by their id.
 *
 * @param lost what customers lose by it, if some of them had another configuration.
 */
export function configurationEffects(
  before: ConfigsItem,
  after: ConfigsItem,
  lost: LostFields = lostFields(servedFields(before.fields), servedFields(after.fields)).live,
): Effect[] {
  const old = fieldsById(before.fields);
  const fresh = fieldsById(after.fields);
  const kept = [...fresh].filter(([id]) => old.has(id));
  const isRaisedByNewFields =
    kept.length < fresh.size && Number(after.lastFieldId) > Number(before.lastFieldId);
  const isReplaced =
    Array.isArray(after.fields) && !Array.isArray(before.fields) && before.fields !== undefined;
  const effects: Effect[] = lossEffects(lost);
  const hiddenIds = new Set(lost.hidden.map(({ field }) => field.id));
  if (isReplaced) effects.push(effect('listReplaced', {}));
  effects.push(...languageEffects(before, after));
  for (const [id, field] of old) {
    if (!fresh.has(id)) effects.push(effect('fieldRemoved', { field: fieldFact(field) }));
  }
  for (const [index, [id, field]] of [...fresh].entries()) {
    if (!old.has(id)) effects.push(addedField(field, index + 1));
  }
  for (const [id, field] of fresh) {
    const was = old.get(id);
    if (!was || isDeepStrictEqual(was, field)) continue;
    const [errorBefore, error] = [was, field].map(whyNotShown);
    if (errorBefore === undefined && error !== undefined) {
      if (!hiddenIds.has(field.id)) effects.push(hiddenField(was, error, 'loss'));
      continue;
    }
    if (errorBefore !== undefined && error === undefined)
      effects.push(effect('fieldShown', { field: fieldFact(was) }));
    effects.push(...fieldEffects(was, field));
  }
  if (!isDeepStrictEqual(before.language, after.language)) {
    const [formerTag, tag] = [before, after].map(
      ({ language }) => languageTag(language) ?? shown(language),
    );
    effects.push(effect('languageChanged', { tag, formerTag }));
  }
  effects.push(...orderOf(new Map(kept), [...old.keys()]));
  if (!isDeepStrictEqual(before.lastFieldId, after.lastFieldId) && !isRaisedByNewFields) {
    const [was, is] = [before, after].map(({ lastFieldId }) => shown(lastFieldId));
    effects.push(effect('lastFieldIdChanged', { after: is, before: was }));
  }
  return effects;
}

function addedField(field: StoredMap, position: number): Effect {
  const error = whyNotShown(field);
  const facts = {
    field: fieldFact(field),
    position,
    kind: shown(field.fieldType),
    mandatory: field.mandatory === true,
    shown: { error, screens: screensOf(field.appUIs), options: optionsIn(field) },
  };
  return effect('fieldAdded', facts, error === undefined ? 'neutral' : 'loss');
}

/** Describes a change of order among the fields of both configurations. */
function orderOf(kept: ReadonlyMap<string, StoredMap>, old: readonly string[]): Effect[] {
  const before = old.filter((id) => kept.has(id));
  if (isDeepStrictEqual(before, [...kept.keys()])) return [];
  return [effect('reordered', { fields: fieldFacts([...kept.values()]) })];
}
