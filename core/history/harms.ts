import type { StoredMap } from '../configuration/complete-field.ts';
import {
  describeHidden,
  fieldLabel,
  NO_LONGER_SHOWN,
  whyNotShown,
} from '../configuration/shown-fields.ts';
import type { RecordedAccess, Version } from './version.ts';

/** The state of a client's item that decides who is served, and what. */
export interface Health {
  /** The number of findings. */
  readonly findings: number;
  readonly access: RecordedAccess;
  readonly isLockedOut: boolean;
  /** The stored fields by id. */
  readonly fields: ReadonlyMap<string, StoredMap>;
}

/** The kinds of harm, as the log names them. The runbook has symptoms and a remedy for each. */
export const HARMS = {
  deleted: 'the client is deleted',
  findings: 'findings',
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
 * @param source whoever published a change was shown its findings, and nothing else of it is
 *   trusted: people can write `lastChange` by hand, too.
 */
export function harmOf(
  before: Health | undefined,
  after: Health | undefined,
  source: Version['source'],
): string[] {
  if (!after) return [HARMS.deleted];
  const findingsBefore = before?.findings ?? 0;
  return [
    ...(source === 'manualEdit' && after.findings > findingsBefore
      ? [`${HARMS.findings}: ${after.findings} instead of ${findingsBefore}`]
      : []),
    ...(after.isLockedOut && !before?.isLockedOut ? [HARMS.isLockedOut] : []),
    ...(before ? lossesOf(before, after) : []),
  ];
}

/** Lists what a client has lost, even if its item has no finding. */
function lossesOf(before: Health, after: Health): string[] {
  const [{ fingerprints, userPoolClientIds: appClients }, fresh] = [before.access, after.access];
  const { fingerprints: newFingerprints, userPoolClientIds: newAppClients } = fresh;
  const isReplaced =
    fingerprints.length > 0 &&
    newFingerprints.length > 0 &&
    new Set(fingerprints).isDisjointFrom(new Set(newFingerprints));
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
