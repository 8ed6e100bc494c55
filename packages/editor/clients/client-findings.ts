import type { StateOfItem } from 'customer-data-api/clients';
import { type Finding, shortened } from 'customer-data-api/configuration';
import { NAMES_CHARACTERS } from './edited-rules.ts';

/* What only operators find in a client: the service does not know the whole deployment. */

/** The finding in a client that has a history and no item, although no command removed it. */
export const DELETED: Finding = {
  severity: 'error',
  code: 'deletedClient',
  path: [],
  message: 'was deleted manually, so every request is refused; create it again, and roll back',
};

/** Finds out if a client accepts the tokens of all app clients, or of some that do not exist. */
export function appClientFindings(
  { access: { userPoolClientIds: ids }, appClients }: Pick<StateOfItem, 'access' | 'appClients'>,
  known: readonly string[],
): Finding[] {
  const finding = { severity: 'error', path: ['userPoolClientIds'] } as const;
  if (ids === undefined) {
    const message =
      'is missing, so tokens of the apps of all clients are accepted; set its app clients';
    return [{ ...finding, code: 'acceptsAllAppClients', message }];
  }
  const foreign = ids.filter((id) => !known.includes(id));
  // Without any other, it is locked out, which is a finding of its own.
  if (foreign.length === 0 || appClients.length === 0) return [];
  const names = shortened(foreign.join(', '), NAMES_CHARACTERS);
  const message = `has ${names}, which the deployment does not have; set its app clients`;
  return [{ ...finding, code: 'foreignAppClients', message }];
}
