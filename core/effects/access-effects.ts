import type { ChangeSource } from '../clients/last-change.ts';
import { isSameAccess, type RecordedAccess, shownAccess } from '../clients/recorded-access.ts';
import type { Effect } from './effect.ts';

/**
 * Lists what a manual edit changed in who may call. Of a change by a command, its message says it.
 */
export function accessEffects(
  source: ChangeSource,
  before: RecordedAccess | undefined,
  after: RecordedAccess,
): Effect[] {
  return source === 'manualEdit' && before ? accessChanges(before, after) : [];
}

/** Lists the App-Ids, by their fingerprints, and the app clients that were added or removed. */
export function accessChanges(before: RecordedAccess, after: RecordedAccess): Effect[] {
  if (isSameAccess(before, after)) return [];
  const [old, fresh] = [shownAccess(before, after), shownAccess(after, before)];
  const appIds = changes('App-Id', 'App-Ids', old.fingerprints, fresh.fingerprints);
  const [oldClients, freshClients] = [old.userPoolClientIds, fresh.userPoolClientIds];
  if (!freshClients) {
    return oldClients ? [...appIds, effect('App clients: all are accepted', 'neutral')] : appIds;
  }
  return [
    ...appIds,
    ...(oldClients ? [] : [effect('App clients: others are no longer accepted', 'loss')]),
    ...changes('App client', 'app clients', oldClients ?? [], freshClients),
  ];
}

function changes(
  one: string,
  many: string,
  before: readonly string[],
  after: readonly string[],
): Effect[] {
  const [old, fresh] = [new Set(before), new Set(after)];
  return [
    ...[...old.difference(fresh)].map((name) =>
      effect(`${one} ${name} is removed`, 'loss', `more ${many} are removed`),
    ),
    ...[...fresh.difference(old)].map((name) =>
      effect(`${one} ${name} is added`, 'neutral', `more ${many} are added`),
    ),
  ];
}

function effect(words: string, level: Effect['level'], more = 'more changes'): Effect {
  return { sentence: `${words}.`, more, level };
}
