import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type AttributeValue, QueryCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import {
  type AccessRules,
  fingerprintOf,
  SMOKE_PREFIX,
  type StateOfItem,
} from 'customer-data-api/clients';
import {
  decidedRules,
  newestVersion,
  redactedAccess,
  type Version,
  type VersionsTable,
} from 'customer-data-api/history';
import type { ConfigurationTables, Deployment } from 'customer-data-api-deployment';
import type { Change, Done, Shown } from 'customer-data-api-deployment/change';
import { OperatorError } from '../errors.ts';
import type { AddedAppId } from './app-ids.ts';
import { changeClient, hasAttributes, removeClient } from './change-client.ts';
import { editedRules } from './client-findings.ts';
import { findClient, readExistingClient } from './configs-table.ts';
import { accessForOperators, hasOwnChange, stateForOperators } from './state-for-operators.ts';

/** A client that is to be created. */
export interface NewClient extends Shown {
  readonly clientId: string;
  readonly userPoolClientIds: readonly string[];
  /** True if the case of its promo codes is not to count. */
  readonly promoCodesIgnoreCase: boolean;
}

interface NewClientOptions {
  /** The app clients whose tokens it accepts, as for `chooseAppClients`. */
  readonly appClients?: readonly string[] | undefined;
  readonly label?: string | undefined;
  /** True if the case of its promo codes is to count. */
  readonly caseSensitiveCodes?: boolean | undefined;
}

/** Creates a client without fields, with one App-Id. */
export function clientCreation(
  clientId: string,
  { appClients, label, caseSensitiveCodes = false }: NewClientOptions,
): Change<NewClient, AddedAppId> {
  return {
    async show({ deployment, tables }) {
      const userPoolClientIds = chooseAppClients(deployment, appClients);
      await expectNewId(tables, clientId);
      if (await findClient(tables, clientId)) {
        throw new OperatorError('clientExists', { clientId });
      }
      const known = await knownCase(deployment, tables, clientId);
      if (caseSensitiveCodes && known === 'ignored') {
        throw new OperatorError('usage', { mistake: 'caseIgnoredBefore', clientId });
      }
      const promoCodesIgnoreCase = known === undefined ? !caseSensitiveCodes : known === 'ignored';
      return { clientId, userPoolClientIds, promoCodesIgnoreCase };
    },
    async apply({ tables }, { userPoolClientIds, promoCodesIgnoreCase }, by) {
      const appId = randomUUID();
      const fingerprint = fingerprintOf(appId);
      const at = new Date().toISOString();
      const stamp = { by, message: 'Created', creates: clientId };
      await changeClient(tables, clientId, stamp, () =>
        marshall({
          appIds: new Set([appId]),
          appIdLabels: { [fingerprint]: { ...(label !== undefined && { label }), at, by } },
          userPoolClientIds: new Set(userPoolClientIds),
          ...(promoCodesIgnoreCase && { promoCodesIgnoreCase }),
          fields: [],
          lastFieldId: 0,
        }),
      );
      return { clientId, appId, fingerprint };
    },
  };
}

/**
 * Tells whether the case of the codes of a former client counts; undefined for an id of which
 * neither the history nor the PromoEvents table knows anything. Only such a client can get another
 * rule: customers could apply again each code that was stored in another case.
 */
async function knownCase(
  { outputs }: Deployment,
  tables: ConfigurationTables,
  clientId: string,
): Promise<'ignored' | 'counts' | undefined> {
  const newest = await newestVersion(tables, clientId);
  if (newest) return decidedRules(newest).promoCodesIgnoreCase ? 'ignored' : 'counts';
  const anyEvent = new QueryCommand({
    TableName: outputs.PromoEventsTableName,
    KeyConditionExpression: 'clientId = :clientId',
    ExpressionAttributeValues: marshall({ ':clientId': clientId }),
    // Policies require that a query names what it reads.
    Select: 'SPECIFIC_ATTRIBUTES',
    ProjectionExpression: 'clientId, codeIdentity',
    ConsistentRead: true,
    Limit: 1,
  });
  const { Items: [event] = [] } = await tables.dynamodb.send(anyEvent);
  if (!event) return undefined;
  return event.codeIdentity ? 'ignored' : 'counts';
}

/** A client that is to be removed. */
export interface ShownRemoval extends Shown {
  readonly state: StateOfItem;
  /** True unless its `lastChange` may be that of another client. */
  readonly isItsOwnChange: boolean;
}

/** Removes the item of a client. Its history and promo events remain. */
export function clientRemoval(clientId: string): Change<ShownRemoval, Done> {
  return {
    async show({ deployment, tables }) {
      const client = await readExistingClient(tables, clientId);
      const newest = await newestVersion(tables, clientId);
      const state = stateForOperators(client, deployment, newest);
      return { state, isItsOwnChange: await hasOwnChange(tables, state), typed: clientId };
    },
    async apply({ tables }, _shown, by) {
      await removeClient(tables, clientId, { by, message: 'Removed' });
      return {};
    },
  };
}

/** The app clients whose tokens a client accepts, and those that it is to accept. */
export interface ShownAppClients extends Shown {
  readonly stored: AttributeValue | undefined;
  /** Undefined for all of the deployment. */
  readonly before: readonly string[] | undefined;
  readonly after: readonly string[];
}

/** Replaces the app clients whose tokens a client accepts, if they are those that were shown. */
export function appClientsChange(
  clientId: string,
  chosen: readonly string[],
): Change<ShownAppClients, Done> {
  return {
    async show({ deployment, tables }) {
      const client = await readExistingClient(tables, clientId);
      const newest = await newestVersion(tables, clientId);
      const after = chooseAppClients(deployment, [...new Set(chosen)].sort(), newest);
      const edited = editedRules(newest, deployment);
      const isEdited = edited.some(({ path: [name] }) => name === 'userPoolClientIds');
      return {
        stored: client.raw.userPoolClientIds,
        before: accessForOperators(client, deployment, newest).userPoolClientIds,
        after,
        hasEffect:
          isEdited || !isDeepStrictEqual(client.lists.userPoolClientIds?.toSorted(), after),
      };
    },
    async apply({ tables }, { stored, after }, by) {
      const message = `Set the app clients ${after.join(', ')}`;
      const stamp = { by, message, setsAppClients: true } as const;
      await changeClient(tables, clientId, stamp, (client) => {
        const isShown = hasAttributes(client, { userPoolClientIds: stored });
        if (!isShown) throw new OperatorError('conflict', { clientId, part: 'appClients' });
        return marshall({ userPoolClientIds: new Set(after) });
      });
      return {};
    },
  };
}

/**
 * The app clients whose tokens a client is to accept: those that were chosen, or the only one of
 * the deployment.
 *
 * @param newest the newest version of the client, which knows its App-Ids.
 * @throws OperatorError usage if the deployment does not have them, or has several to choose from.
 */
function chooseAppClients(
  { appClients: known }: AccessRules,
  chosen: readonly string[] = [],
  newest?: Version,
): readonly string[] {
  const foreign = chosen.filter((id) => !known.includes(id));
  if (foreign.length > 0) {
    const lists = { fingerprints: [], userPoolClientIds: foreign };
    const { userPoolClientIds: ids = [] } = redactedAccess(lists, newest?.access);
    throw new OperatorError('usage', { mistake: 'unknownAppClients', ids, known });
  }
  if (chosen.length > 0) return chosen;
  if (known.length === 1) return known;
  throw new OperatorError('usage', { mistake: 'noAppClientChosen', known });
}

/**
 * Matches the ids of new clients: commands can tell them from a version (`pizza@3`) or an option,
 * and no program writes their characters in another form. The service accepts more, so existing
 * clients keep theirs.
 */
const NEW_CLIENT_ID = /^[a-z\d][\w.-]*$/i;
/** Commands would take the id for the name of a file. */
const FILE = /\.ya?ml$/i;

/**
 * Fails if a client cannot have an id. A client that was removed may come back under its old id,
 * unless it is one of the smoke checks.
 *
 * @throws OperatorError usage if other commands, or follow-on systems, would not recognize it as a
 *   client.
 */
async function expectNewId(versions: VersionsTable, clientId: string): Promise<void> {
  if (clientId.startsWith(SMOKE_PREFIX)) {
    const prefix = SMOKE_PREFIX;
    throw new OperatorError('usage', { mistake: 'smokeClientId', clientId, prefix });
  }
  if (NEW_CLIENT_ID.test(clientId) && !FILE.test(clientId)) return;
  if (await newestVersion(versions, clientId)) return;
  throw new OperatorError('usage', { mistake: 'invalidClientId', clientId });
}
