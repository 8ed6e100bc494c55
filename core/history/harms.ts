import type { ConfigsItem } from '../client-attributes.ts';
import { type LostFields, lostFields, servedFields } from '../configuration/lost-fields.ts';
import { fieldLabel, NO_LONGER_SHOWN } from '../configuration/shown-fields.ts';
import type { RecordedAccess, Version } from './version.ts';

/** The state of a client's item that decides who is served, and what. */
export interface Health {
  /** The number of findings. */
  readonly findings: number;
  readonly access: RecordedAccess;
  readonly isLockedOut: boolean;
  readonly item: ConfigsItem;
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
    ...fieldsLost(before.item, after.item),
  ];
}

/** Lists the fields that apps no longer get, if they are most, and those that an error hides. */
function fieldsLost(before: ConfigsItem, after: ConfigsItem): string[] {
  const { live, candidate } = lostFields(servedFields(before), servedFields(after));
  return [...describe(live), ...describe(candidate, ' in the candidate')];
}

function describe({ most, hidden }: LostFields, where = ''): string[] {
  const errors = hidden.map(
    ({ field, error }) => `${fieldLabel(field)} ${NO_LONGER_SHOWN}${where}: ${error}`,
  );
  if (!most) return errors;
  const { left, served, removed } = most;
  const names = removed.length > 0 ? `, without ${removed.map(fieldLabel).join(', ')}` : '';
  return [`${HARMS.fieldsLost}: ${left} of ${served} are left${where}${names}`, ...errors];
}
