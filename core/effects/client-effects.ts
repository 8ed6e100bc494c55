import type { ChangeSource } from '../clients/last-change.ts';
import type { PromoCodeCase } from '../clients/promo-code-case.ts';
import type { StoredClient } from '../clients/read-client.ts';
import type { RecordedAccess } from '../clients/recorded-access.ts';
import { NO_LONGER_SHOWN } from '../configuration/shown-fields.ts';
import type { Effect } from './effect.ts';
import { lossEffects, lostFields, servedFields, THAT_APPS_GET } from './lost-fields.ts';

/** The state of a client's item that decides who is served, and what. */
export interface Health extends PromoCodeCase {
  /** The number of findings. */
  readonly findings: number;
  readonly access: RecordedAccess;
  readonly isLockedOut: boolean;
  readonly client: Pick<StoredClient, 'item' | 'rollout'>;
}

/** The kinds of harm, by what their sentences have. The runbook has a remedy for each. */
export const HARMS = {
  deleted: 'The client is deleted',
  findings: 'The number of findings rose',
  isLockedOut: 'The client is locked out',
  fieldHidden: NO_LONGER_SHOWN,
  fieldsLost: THAT_APPS_GET,
  appIdsReplaced: 'The client lost all of its App-Ids',
  opened: 'The client accepts the tokens of another app client',
  openedToAll: 'The client accepts the tokens of all app clients',
  caseSwitched: 'so customers can apply promo codes again in another case',
} as const;

/**
 * Lists the harm of a change of a client's item. Undefined: no item.
 *
 * @param source whoever published a change was shown its findings, and nothing else of it is
 *   trusted: people can write `lastChange` by hand, too.
 * @param former what the history knows of a client that had no item.
 */
export function clientEffects(
  before: Health | undefined,
  after: Health | undefined,
  source: ChangeSource,
  former: PromoCodeCase | undefined = before,
): Effect[] {
  if (!after) return [harm(HARMS.deleted)];
  const findings = before?.findings ?? 0;
  const words = [
    ...(source === 'manualEdit' && after.findings > findings
      ? [`${HARMS.findings} from ${findings} to ${after.findings}`]
      : []),
    ...(after.isLockedOut && !before?.isLockedOut ? [HARMS.isLockedOut] : []),
    ...(before ? lostAccess(before.access, after.access) : []),
    ...caseSwitch(former, after),
  ];
  return [...words.map(harm), ...(before ? lossesOf(before, after) : [])];
}

function harm(words: string): Effect {
  return { sentence: `${words}.`, more: 'more changes', level: 'harm' };
}

/**
 * Says what a switch of the attribute does, which no command makes: a code that was stored under
 * one key is looked for under another. [] if nothing was switched.
 */
export function caseSwitch(before: PromoCodeCase | undefined, after: PromoCodeCase): string[] {
  if (!before || before.promoCodesIgnoreCase === after.promoCodesIgnoreCase) return [];
  const now = after.promoCodesIgnoreCase ? 'no longer counts' : 'counts now';
  return [`The case of promo codes ${now}, ${HARMS.caseSwitched}`];
}

/** Returns the app clients that are accepted besides those of before; none if all are. */
export function addedAppClients(
  { userPoolClientIds: before = [] }: RecordedAccess,
  { userPoolClientIds: after = [] }: RecordedAccess,
): string[] {
  return before.length > 0 ? [...new Set(after).difference(new Set(before))] : [];
}

function lostAccess(before: RecordedAccess, after: RecordedAccess): string[] {
  const { fingerprints, userPoolClientIds: appClients } = before;
  const { fingerprints: newFingerprints, userPoolClientIds: newAppClients } = after;
  const isReplaced =
    fingerprints.length > 0 &&
    newFingerprints.length > 0 &&
    new Set(fingerprints).isDisjointFrom(new Set(newFingerprints));
  return [
    ...(isReplaced ? [HARMS.appIdsReplaced] : []),
    ...(addedAppClients(before, after).length > 0 ? [HARMS.opened] : []),
    ...(appClients && !newAppClients ? [HARMS.openedToAll] : []),
  ];
}

/** Lists the harm in the fields of the live configuration, and of the candidate. */
function lossesOf(before: Health, after: Health): Effect[] {
  const served = ({ client: { item, rollout } }: Health) => servedFields(item, rollout);
  const lost = lostFields(served(before), served(after));
  return [...lossEffects(lost.live), ...lossEffects(lost.candidate, ' in the candidate')];
}
