import type { StateOfItem } from 'customer-data-api/clients';
import type { Finding } from 'customer-data-api/configuration';
import { CLIENT_FINDINGS } from '../words.ts';

/* What only operators find in a client: the service does not know the whole deployment. */

/** The finding in a client that has a history and no item, although no command removed it. */
export const DELETED: Finding = {
  severity: 'error',
  code: 'deletedClient',
  path: [],
  message: CLIENT_FINDINGS.deleted,
};

/** Finds out if a client accepts the tokens of all app clients, or of some that do not exist. */
export function appClientFindings(
  { access: { userPoolClientIds: ids }, appClients }: Pick<StateOfItem, 'access' | 'appClients'>,
  known: readonly string[],
): Finding[] {
  const finding = { severity: 'error', path: ['userPoolClientIds'] } as const;
  if (ids === undefined) {
    const { acceptsAllAppClients: message } = CLIENT_FINDINGS;
    return [{ ...finding, code: 'acceptsAllAppClients', message }];
  }
  const foreign = ids.filter((id) => !known.includes(id));
  // Without any other, it is locked out, which is a finding of its own.
  if (foreign.length === 0 || appClients.length === 0) return [];
  const message = CLIENT_FINDINGS.foreignAppClients(foreign);
  return [{ ...finding, code: 'foreignAppClients', message }];
}
