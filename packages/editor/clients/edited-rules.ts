import { type AccessRules, acceptedAppClients, type ClientState } from 'customer-data-api/clients';
import type { Finding } from 'customer-data-api/configuration';
import { compare, type EffectCode } from 'customer-data-api/effects';
import { stateByDecidedRules, stateOfVersion, type Version } from 'customer-data-api/history';
import { CLIENT_FINDINGS } from '../words.ts';

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
  const edited = (name: string, message: string): Finding => ({
    severity: 'error',
    code: 'editedRule',
    path: [name],
    message,
  });
  const added = is.appClients.filter((id) => !set.appClients.includes(id));
  const wasIgnored = set.promoCodesIgnoreCase === true;
  return [
    ...(isIn('caseSwitched')
      ? [edited('promoCodesIgnoreCase', CLIENT_FINDINGS.editedCase(wasIgnored))]
      : []),
    ...(isIn('opened')
      ? [edited('userPoolClientIds', CLIENT_FINDINGS.editedAppClients(added))]
      : []),
  ];
}
