import { type AccessRules, acceptedAppClients, type ClientState } from 'customer-data-api/clients';
import { type Finding, shortened } from 'customer-data-api/configuration';
import { compare, type EffectCode } from 'customer-data-api/effects';
import { stateByDecidedRules, stateOfVersion, type Version } from 'customer-data-api/history';

/** The longest list of names in a sentence. */
export const NAMES_CHARACTERS = 100;

/**
 * Finds the rules of a client that manual edits have changed for its customers, and about which
 * nobody has decided since. No other change settles them.
 *
 * @param newest the newest version of the client.
 */
export function editedRules(newest: Version | undefined, rules: AccessRules): Finding[] {
  if (!newest || newest.isDeleted) return [];
  const withAppClients = (state: ClientState) => ({
    ...state,
    appClients: acceptedAppClients(state.access?.userPoolClientIds, rules),
  });
  const [set, is] = [
    withAppClients(stateByDecidedRules(newest)),
    withAppClients(stateOfVersion(newest)),
  ];
  const effects = compare(set, is);
  const isIn = (wanted: EffectCode) => effects.some(({ code }) => code === wanted);
  const finding = { severity: 'error', code: 'editedRule' } as const;
  const findings: Finding[] = [];
  if (isIn('caseSwitched')) {
    const undo = set.promoCodesIgnoreCase ? 'set it to true again' : 'remove it again';
    const message = `was edited manually, so customers can apply promo codes again in another case; ${undo}`;
    findings.push({ ...finding, path: ['promoCodesIgnoreCase'], message });
  }
  if (isIn('opened')) {
    const added = is.appClients.filter((id) => !set.appClients.includes(id));
    const names = shortened(added.join(', '), NAMES_CHARACTERS);
    const message = `was edited manually, and accepts the tokens of ${names}, too; set the app clients, to those or to others`;
    findings.push({ ...finding, path: ['userPoolClientIds'], message });
  }
  return findings;
}
