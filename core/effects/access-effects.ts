import type { ClientState } from '../clients/client-state.ts';
import { accessIdentity, redactedAccess } from '../clients/recorded-access.ts';
import { type Effect, effect } from './effect.ts';

/**
 * Lists the effects of a change of who may call: first the harm, then the App-Ids, by their
 * fingerprints, and the app clients that were added or removed.
 */
export function accessEffects(
  { access: before, appClients: accepted = [] }: ClientState,
  { access: after, appClients: accepts = [] }: ClientState,
): Effect[] {
  if (!before || !after || accessIdentity(before) === accessIdentity(after)) return [];
  const [old, fresh] = [redactedAccess(before, after), redactedAccess(after, before)];
  const appIds = differences(old.fingerprints, fresh.fingerprints);
  const { userPoolClientIds: had } = old;
  const { userPoolClientIds: has } = fresh;
  const appClients = differences(had ?? [], has ?? []);
  const isOpened = accepted.length > 0 && differences(accepted, accepts).added.length > 0;
  const isReplaced =
    old.fingerprints.length > 0 &&
    fresh.fingerprints.length > 0 &&
    new Set(old.fingerprints).isDisjointFrom(new Set(fresh.fingerprints));
  return [
    ...(isReplaced ? [effect('appIdsReplaced', {})] : []),
    ...(has && isOpened ? [effect('opened', {})] : []),
    ...(had && !has ? [effect('openedToAll', {})] : []),
    ...named('appIdRemoved', appIds.removed),
    ...named('appIdAdded', appIds.added),
    ...(had && !has ? [effect('allAccepted', {})] : []),
    ...(has && !had ? [effect('othersRefused', {})] : []),
    ...(has ? named('appClientRemoved', appClients.removed) : []),
    ...(has ? named('appClientAdded', appClients.added) : []),
  ];
}

function differences(before: readonly string[], after: readonly string[]) {
  const [old, fresh] = [new Set(before), new Set(after)];
  return { removed: [...old.difference(fresh)], added: [...fresh.difference(old)] };
}

function named(
  code: 'appIdRemoved' | 'appIdAdded' | 'appClientRemoved' | 'appClientAdded',
  names: readonly string[],
): Effect[] {
  return names.map((name) => effect(code, { name }));
}
