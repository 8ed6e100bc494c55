import type { ClientState } from '../clients/client-state.ts';
import type { LastChange } from '../clients/last-change.ts';
import { isSameAccess, type RecordedAccess, shownAccess } from '../clients/recorded-access.ts';
import type { ToolRules, Version } from './version.ts';
import { stateOfVersion } from './version-state.ts';

/** A state of a client with these rules. */
type Ruled = Pick<Version, 'promoCodesIgnoreCase' | 'access'>;

/** Returns the rules of a client as a tool last set them, or else as they were first recorded. */
export function toolRulesOf({ toolRules, ...own }: Ruled & Pick<Version, 'toolRules'>): ToolRules {
  return toolRules ?? rulesIn(own);
}

/**
 * Returns what the next version has of the rules that a tool last set: nothing if it has the same.
 *
 * @param made the change, if a tool made it.
 */
export function inheritedRules(
  next: Ruled,
  newest: Version | undefined,
  made: LastChange | undefined,
): ToolRules | undefined {
  if (!newest || made?.creates !== undefined) return undefined;
  const own = rulesIn(next);
  const former = toolRulesOf(newest);
  const { promoCodesIgnoreCase } = former;
  const { userPoolClientIds } = shownAccess(appClientsOf(former), next.access);
  const rules = {
    promoCodesIgnoreCase,
    userPoolClientIds: made?.setsAppClients ? own.userPoolClientIds : userPoolClientIds,
  };
  const isSame =
    promoCodesIgnoreCase === own.promoCodesIgnoreCase &&
    isSameAccess(appClientsOf(rules), appClientsOf(own));
  return isSame ? undefined : rules;
}

/** True if a change decides about app clients that a manual edit may have left as it sets them. */
export function decidesRules(made: LastChange | undefined, newest: Version | undefined): boolean {
  return !!made?.setsAppClients && !!newest?.toolRules && made.id !== newest.changeId;
}

function rulesIn({ promoCodesIgnoreCase, access: { userPoolClientIds } }: Ruled): ToolRules {
  return { promoCodesIgnoreCase, userPoolClientIds };
}

/** Returns the state of a client as a tool last set its rules, as far as these are known. */
export function stateOfRules(version: Version): ClientState {
  const { promoCodesIgnoreCase, userPoolClientIds } = toolRulesOf(version);
  const access = { ...version.access, userPoolClientIds };
  return { ...stateOfVersion(version), promoCodesIgnoreCase, access };
}

/** Returns the access of app clients alone, to compare it. */
function appClientsOf({ userPoolClientIds }: ToolRules): RecordedAccess {
  return { fingerprints: [], userPoolClientIds };
}
