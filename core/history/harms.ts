import type { StoredMap } from '../configuration/complete-field.ts';
import {
  describeHidden,
  fieldLabel,
  NO_LONGER_SHOWN,
  whyNotShown,
} from '../configuration/shown-fields.ts';
import type { AccessDigests, Version } from './version.ts';

/** The state of a client's item that decides who is served, and what. */
export interface Health {
  /** The number of findings. */
  readonly problems: number;
  readonly keys: AccessDigests;
  readonly isLockedOut: boolean;
  /** The stored fields by id. */
  readonly fields: ReadonlyMap<string, StoredMap>;
}

/** The kinds of harm, as the log names them. The runbook has symptoms and a remedy for each. */
export const HARMS = {
  deleted: 'the client is deleted',
  problems: 'problems',
  isLockedOut: 'the client is locked out',
  fieldHidden: NO_LONGER_SHOWN,
  fieldsLost: 'served fields',
  appIdsReplaced: 'the client lost all of its App-Ids',
  opened: 'the client accepts the tokens of another app client',
  openedToAll: 'the client accepts the tokens of all app clients',
} as const;

/**
 * Lists in words how a change harmed a client; empty if it did not. Undefined: no item.
 *
 * @param source whoever published a change was shown its problems, and nothing else of it is
 *   trusted: people can write `lastChange` by hand, too.
 */
export function harmOf(
  before: Health | undefined,
  after: Health | undefined,
  source: Version['source'],
): string[] {
  if (!after) return [HARMS.deleted];
  const problemsBefore = before?.problems ?? 0;
  return [
    ...(source === 'outside' && after.problems > problemsBefore
      ? [`${HARMS.problems}: ${after.problems} instead of ${problemsBefore}`]
      : []),
    ...(after.isLockedOut && !before?.isLockedOut ? [HARMS.isLockedOut] : []),
    ...(before ? lossesOf(before, after) : []),
  ];
}

/** Lists what a client has lost, even if its item has no problem. */
function lossesOf(before: Health, after: Health): string[] {
  const [keys, newKeys] = [before.keys.appIds, after.keys.appIds];
  const [appClients, newAppClients] = [before.keys.userPoolClientIds, after.keys.userPoolClientIds];
  const isReplaced =
    keys.length > 0 && newKeys.length > 0 && new Set(keys).isDisjointFrom(new Set(newKeys));
  const isOpened =
    appClients?.length && newAppClients && !new Set(newAppClients).isSubsetOf(new Set(appClients));
  return [
    ...(isReplaced ? [HARMS.appIdsReplaced] : []),
    ...(isOpened ? [HARMS.opened] : []),
    ...(appClients && !newAppClients ? [HARMS.openedToAll] : []),
    // Last, because it may have thousands.
    ...fieldsLost(before.fields, after.fields),
  ];
}

/** Lists the removed fields, if fewer than half are left, and those that an error hides. */
function fieldsLost(before: Health['fields'], after: Health['fields']): string[] {
  const served = [...before].filter(([, field]) => whyNotShown(field) === undefined);
  const left = [...after.values()].filter((field) => whyNotShown(field) === undefined);
  const removed = served.filter(([id]) => !after.has(id)).map(([, field]) => fieldLabel(field));
  return [
    ...(left.length < served.length / 2
      ? [
          `${HARMS.fieldsLost}: ${left.length} instead of ${served.length}${removed.length > 0 ? `, without ${removed.join(', ')}` : ''}`,
        ]
      : []),
    ...served.flatMap(([id, field]) => describeHidden(field, after.get(id) ?? field) ?? []),
  ];
}
