import {
  type AccessRules,
  type StateOfItem,
  type StoredClient,
  stateOfItem,
  storedAccess,
} from 'customer-data-api/clients';
import {
  newestVersion,
  type RecordedAccess,
  redactedAccess,
  type Version,
  type VersionsTable,
  versionsOfChange,
} from 'customer-data-api/history';
import type { ConfigurationTables } from 'customer-data-api-deployment';
import { appClientFindings, editedRules } from './client-findings.ts';
import { readEach } from './concurrent-reads.ts';
import { listClients, readClients } from './configs-table.ts';

/**
 * Returns the state of a client for operators.
 *
 * @param newest its newest version, which knows the rules that were edited, and former App-Ids.
 */
export function stateForOperators(
  client: StoredClient,
  deployment: AccessRules,
  newest?: Version,
): StateOfItem {
  const state = stateOfItem(client, deployment);
  const access = accessForOperators(client, deployment, newest);
  const ofAppClients = appClientFindings({ ...state, access }, deployment.appClients);
  const findings = [...editedRules(newest, deployment), ...ofAppClients, ...state.findings];
  return { ...state, access, findings };
}

/**
 * Returns the access lists of a client in the form in which they may be shown. The app clients of
 * the deployment are no secret, whatever an edit made of them before.
 */
export function accessForOperators(
  client: StoredClient,
  deployment: AccessRules,
  newest: Version | undefined,
): RecordedAccess {
  const stored = storedAccess(client, deployment);
  const { fingerprints, userPoolClientIds } = redactedAccess(stored, newest?.access);
  const isKnown = stored.userPoolClientIds?.map((id) => deployment.appClients.includes(id));
  return {
    fingerprints,
    userPoolClientIds: userPoolClientIds?.map((shown, index) =>
      isKnown?.[index] ? (stored.userPoolClientIds?.[index] ?? shown) : shown,
    ),
  };
}

/** Lists the states of clients, by default of all, which are in DynamoDB's order. */
export async function* listStates(
  tables: ConfigurationTables,
  deployment: AccessRules,
  clientIds?: Iterable<string>,
): AsyncGenerator<StateOfItem> {
  const clients = clientIds ? readClients(tables, clientIds) : listClients(tables);
  yield* readEach(clients, async (client) =>
    stateForOperators(client, deployment, await newestVersion(tables, client.clientId)),
  );
}

/**
 * Tells if the history has the `lastChange` of a client's item. A copied item has that of the item
 * it was copied from.
 */
export async function hasOwnChange(
  table: VersionsTable,
  { clientId, lastChange }: StateOfItem,
): Promise<boolean> {
  if (!lastChange) return true;
  for await (const { source } of versionsOfChange(table, clientId, lastChange)) {
    if (source === 'published') return true;
  }
  return false;
}
