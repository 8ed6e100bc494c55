import { isDeepStrictEqual } from 'node:util';
import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DeleteItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { ConfigsItem } from 'customer-data-api/clients';
import {
  appIdsIn,
  fingerprintOf,
  type LastChange,
  newLastChange,
  readAccessLists,
  readItem,
  readValue,
} from 'customer-data-api/clients';
import { unknownInItem } from 'customer-data-api/configuration';
import { ClientConflict, ClientExists, NoSuchClient } from '../errors.ts';
import { labelsAfter } from './app-id-labels.ts';
import { type ConfigsTable, readClient, readRawClient } from './configs-table.ts';
import { updateClient } from './update-client.ts';

/** The author and the reason of a change, for the history. */
export type Change = Pick<LastChange, 'by' | 'message'>;

/** A change of App-Ids. New ones get the label. */
interface AppIdChange extends Change {
  readonly label?: string | undefined;
}

/** Attempts to replace App-Ids that others change at the same time. */
const MAX_ATTEMPTS = 3;

/** Creates the item of a client without fields. Throws ClientExists. */
export async function createClient(
  table: ConfigsTable,
  client: {
    readonly clientId: string;
    readonly appId: string;
    readonly userPoolClientIds: readonly string[];
  },
  { label, ...change }: AppIdChange,
): Promise<void> {
  const { clientId, appId, userPoolClientIds } = client;
  const lastChange = newLastChange({ ...change, creates: clientId });
  const { at, by } = lastChange;
  const refusal = await updateClient(table, clientId, lastChange, {
    set: marshall({
      appIds: new Set([appId]),
      appIdLabels: { [fingerprintOf(appId)]: { ...(label !== undefined && { label }), at, by } },
      userPoolClientIds: new Set(userPoolClientIds),
      fields: [],
      lastFieldId: 0,
    }),
    creates: true,
  });
  if (refusal) throw new ClientExists(clientId);
}

/**
 * Removes the item of a client. Its history and promo events remain.
 *
 * @throws NoSuchClient, or ClientConflict if the client changes at the same time.
 */
export async function removeClient(
  table: ConfigsTable,
  clientId: string,
  change: Change,
): Promise<void> {
  // A deletion has no attributes to name its author, so the item names it just before.
  const lastChange = newLastChange({ ...change, removes: true });
  if (await updateClient(table, clientId, lastChange, { set: {} }))
    throw new NoSuchClient(clientId);
  try {
    await table.dynamodb.send(
      new DeleteItemCommand({
        TableName: table.configsTableName,
        Key: marshall({ clientId }),
        ConditionExpression: 'lastChange.id = :id',
        ExpressionAttributeValues: marshall({ ':id': lastChange.id }),
      }),
    );
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    // The response to the deletion was lost, and the AWS SDK repeated it.
    if (!(await readClient(table, clientId))) return;
    throw new ClientConflict(clientId, 'item');
  }
}

/**
 * Replaces the App-Ids of a client if they have not changed since they were read. Otherwise it
 * starts again, so that two operators who change different App-Ids both succeed.
 *
 * The same write removes a misspelled attribute, unless it has an App-Id that would be lost.
 *
 * @param next computes the new App-Ids. It may throw, and runs again after a concurrent change.
 * @returns the names of the attributes that were removed.
 * @throws NoSuchClient, or ClientConflict if the App-Ids keep changing.
 */
export async function changeAppIds(
  table: ConfigsTable,
  clientId: string,
  next: (appIds: readonly string[], item: ConfigsItem) => readonly string[],
  { label, ...change }: AppIdChange,
): Promise<readonly string[]> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const raw = await readRawClient(table, clientId);
    if (!raw) throw new NoSuchClient(clientId);
    const item = readItem(raw);
    const before = readAccessLists(item, false).appIds;
    const after = next(before, item);
    const removed = misspellingsOf(item, 'appIds').filter((name) =>
      appIdsIn(item, name)?.every((appId) => before.includes(appId) || after.includes(appId)),
    );
    const names = ['appIds', 'appIdLabels', ...removed];
    const lastChange = newLastChange(change);
    const { at, by } = lastChange;
    const appIdLabels = labelsAfter(
      raw.appIdLabels,
      { before, after },
      { ...(label !== undefined && { label }), at, by },
    );
    const refusal = await updateClient(table, clientId, lastChange, {
      set: {
        ...pick({}, names),
        // DynamoDB has no empty sets.
        ...(after.length > 0 && marshall({ appIds: new Set(after) })),
        ...(appIdLabels && { appIdLabels }),
      },
      unchanged: pick(raw, names),
    });
    if (!refusal) return removed;
  }
  throw new ClientConflict(clientId, 'App-Ids');
}

/**
 * Replaces the app clients whose tokens a client accepts, and removes the attributes that look like
 * misspellings of theirs, if none of them has changed since `item` was read.
 *
 * @throws ClientConflict if one of these attributes has changed since.
 */
export async function setAppClients(
  table: ConfigsTable,
  item: ConfigsItem,
  userPoolClientIds: readonly string[],
  change: Change,
): Promise<void> {
  const clientId = String(item.clientId);
  const misspelled = misspellingsOf(item, 'userPoolClientIds');
  const names = ['userPoolClientIds', ...misspelled];
  const raw = (await readRawClient(table, clientId)) ?? {};
  const isUnchanged = names.every((name) => isDeepStrictEqual(readValue(raw[name]), item[name]));
  const refusal =
    !isUnchanged ||
    (await updateClient(table, clientId, newLastChange(change), {
      set: {
        ...pick({}, misspelled),
        ...marshall({ userPoolClientIds: new Set(userPoolClientIds) }),
      },
      unchanged: pick(raw, names),
    }));
  if (refusal) throw new ClientConflict(clientId, 'app clients');
}

/** Finds attributes of an item that look like misspellings of an access list. */
export function misspellingsOf(
  item: ConfigsItem,
  attribute: 'appIds' | 'userPoolClientIds',
): string[] {
  return unknownInItem(item)
    .filter(({ meant }) => meant === attribute)
    .map(({ path: [name] }) => String(name));
}

/** Picks attributes of an item. A missing one is undefined. */
function pick(raw: Readonly<Record<string, AttributeValue>>, names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, raw[name]]));
}
