import {
  type AccessRules,
  acceptedAppClients,
  type ClientState,
  type StateOfItem,
} from 'customer-data-api/clients';
import { error, type Finding } from 'customer-data-api/configuration';
import { compare, type EffectCode } from 'customer-data-api/effects';
import { stateByDecidedRules, stateOfVersion, type Version } from 'customer-data-api/history';
import { CLIENT_FINDINGS } from '../words.ts';

/* What only operators find in a client: the service does not know the whole deployment. */

/** The finding in a client that has a history and no item, although no command removed it. */
export const DELETED = error('deletedClient', [], CLIENT_FINDINGS.deleted);

/** Finds out if a client accepts the tokens of all app clients, or of some that do not exist. */
export function appClientFindings(
  { access: { userPoolClientIds: ids }, appClients }: Pick<StateOfItem, 'access' | 'appClients'>,
  known: readonly string[],
): Finding[] {
  const path = ['userPoolClientIds'];
  const { acceptsAllAppClients, foreignAppClients } = CLIENT_FINDINGS;
  if (!ids) return [error('acceptsAllAppClients', path, acceptsAllAppClients)];
  const foreign = ids.filter((id) => !known.includes(id));
  // Without any other, it is locked out, which is a finding of its own.
  if (foreign.length === 0 || appClients.length === 0) return [];
  return [error('foreignAppClients', path, foreignAppClients(foreign))];
}

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
  const added = is.appClients.filter((id) => !set.appClients.includes(id));
  const wasIgnored = set.promoCodesIgnoreCase === true;
  const { editedCase, editedAppClients } = CLIENT_FINDINGS;
  const edited = (path: string, message: string) => [error('editedRule', [path], message)];
  return [
    ...(isIn('caseSwitched') ? edited('promoCodesIgnoreCase', editedCase(wasIgnored)) : []),
    ...(isIn('opened') ? edited('userPoolClientIds', editedAppClients(added)) : []),
  ];
}
