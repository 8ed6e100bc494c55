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
  const hiddenIds = new Set(lost.hidden.map(({ field }) => field.id));
  const [formerTag, tag] = [before, after].map(
    ({ language }) => languageTag(language) ?? shown(language),
  );
  const [formerLast, last] = [before, after].map(({ lastFieldId }) => shown(lastFieldId));
  return [
    ...lossEffects(lost),
    ...(isReplaced ? [effect('listReplaced', {})] : []),
    ...languageEffects(before, after),
    ...[...old].flatMap(([id, field]) =>
      fresh.has(id) ? [] : effect('fieldRemoved', { field: fieldFact(field) }),
    ),
    ...[...fresh].flatMap(([id, field], index) =>
      old.has(id) ? [] : addedField(field, index + 1),
    ),
    ...kept.flatMap(([id, field]) => keptField(old.get(id) ?? {}, field, hiddenIds.has(field.id))),
    ...(isDeepStrictEqual(before.language, after.language)
      ? []
      : [effect('languageChanged', { tag, formerTag })]),
    ...orderOf(new Map(kept), [...old.keys()]),
    ...(isDeepStrictEqual(before.lastFieldId, after.lastFieldId) || isRaisedByNewFields
      ? []
      : [effect('lastFieldIdChanged', { after: last, before: formerLast })]),
  ];
}

/** @param isLost true if its loss is known. */
function keptField(was: StoredMap, field: StoredMap, isLost: boolean): Effect[] {
  if (isDeepStrictEqual(was, field)) return [];
  const [errorBefore, error] = [was, field].map(whyNotShown);
  if (errorBefore === undefined && error !== undefined) {
    return isLost ? [] : [hiddenField(was, error, 'loss')];
  }
  const isShown = errorBefore !== undefined && error === undefined;
  return [
    ...(isShown ? [effect('fieldShown', { field: fieldFact(was) })] : []),
    ...fieldEffects(was, field),
  ];
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
