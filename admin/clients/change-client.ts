import { isDeepStrictEqual } from 'node:util';
import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { readItem, readValue } from '../../core/aws/attribute-values.ts';
import type { ConfigsItem } from '../../core/client-attributes.ts';
import { readKeys } from '../../core/clients/client-access.ts';
import { type LastChange, newLastChange } from '../../core/clients/last-change.ts';
import { unknownAttributes } from '../../core/configuration/unknown-attributes.ts';
import { ClientConflict, ClientExists, NoSuchClient } from '../errors.ts';
import { type ConfigsTable, isLastChange, readClient, readRawClient } from './configs-table.ts';

/** Who makes a change, and why. The history shows both. */
export type Change = Pick<LastChange, 'by' | 'message'>;

/** How often the keys are read again because somebody else has changed them. */
const MAX_ATTEMPTS = 3;

/**
 * Creates the item of a client that has no fields yet.
 *
 * @throws ClientExists
 */
export async function createClient(
  table: ConfigsTable,
  client: {
    readonly clientId: string;
    readonly appId: string;
    readonly userPoolClientIds: readonly string[];
  },
  change: Change,
): Promise<void> {
  const { clientId, appId, userPoolClientIds } = client;
  const isDone = await update(table, clientId, newLastChange({ ...change, creates: clientId }), {
    UpdateExpression:
      'SET appIds = :keys, userPoolClientIds = :appClients, #fields = :fields, lastFieldId = :lastId, lastChange = :change',
    ConditionExpression: 'attribute_not_exists(clientId)',
    ExpressionAttributeNames: { '#fields': 'fields' },
    ExpressionAttributeValues: marshall({
      ':keys': new Set([appId]),
      ':appClients': new Set(userPoolClientIds),
      ':fields': [],
      ':lastId': 0,
    }),
  });
  if (!isDone) throw new ClientExists(clientId);
}

/**
 * Removes the item of a client. Its history and promo events are kept.
 *
 * @throws NoSuchClient, or ClientConflict if somebody changes the client at the same time.
 */
export async function removeClient(
  table: ConfigsTable,
  clientId: string,
  change: Change,
): Promise<void> {
  // A deletion has no attributes that could say who made it, so the item says it just before.
  const lastChange = newLastChange({ ...change, removes: true });
  const isMarked = await update(table, clientId, lastChange, {
    UpdateExpression: 'SET lastChange = :change',
    ConditionExpression: 'attribute_exists(clientId)',
  });
  if (!isMarked) throw new NoSuchClient(clientId);
  try {
    await table.dynamodb.send(
      new DeleteItemCommand({
        TableName: table.tableName,
        Key: marshall({ clientId }),
        ConditionExpression: 'lastChange.id = :id',
        ExpressionAttributeValues: marshall({ ':id': lastChange.id }),
      }),
    );
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    // The response to the deletion was lost, and the SDK has repeated it.
    if (!(await readClient(table, clientId))) return;
    throw new ClientConflict(clientId, 'item');
  }
}

/**
 * Replaces the App-Ids of a client with one call, on the condition that they are still those that were read. Otherwise
 * it starts again with the new ones, so that two operators who change different keys both succeed.
 *
 * @param next receives the App-Ids and the item, and returns what they become. It may throw, and is called again if they have
 *   changed.
 * @param removes names the attributes that are removed with it, on the condition that they have not changed either.
 * @throws NoSuchClient, or ClientConflict if somebody keeps changing the App-Ids.
 */
export async function changeKeys(
  table: ConfigsTable,
  clientId: string,
  next: (appIds: readonly string[], item: ConfigsItem) => readonly string[],
  change: Change,
  removes: readonly string[] = [],
): Promise<void> {
  const names = ['appIds', ...removes];
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const raw = await readRawClient(table, clientId);
    if (!raw) throw new NoSuchClient(clientId);
    const item = readItem(raw);
    const unchanged = whileUnchanged(raw, names);
    const after = next(readKeys(item, false).appIds, item);
    const set = after.length > 0 ? { ':after': new Set(after) } : undefined;
    // DynamoDB has no empty sets.
    const removed = names.map((_, index) => `#name${index}`).slice(set ? 1 : 0);
    const isDone = await update(table, clientId, newLastChange(change), {
      ...unchanged,
      UpdateExpression: `SET lastChange = :change${set ? ', #name0 = :after' : ''}${removing(removed)}`,
      ExpressionAttributeValues: {
        ...unchanged.ExpressionAttributeValues,
        ...marshall({ ...set }),
      },
    });
    if (isDone) return;
  }
  throw new ClientConflict(clientId, 'App-Ids');
}

/**
 * Replaces the app clients whose tokens a client accepts, on the condition that they are still those that were read. An
 * attribute that looks like a misspelling of `userPoolClientIds` is removed.
 *
 * @param item what was read.
 * @throws ClientConflict if somebody has changed one of these attributes since.
 */
export async function setAppClients(
  table: ConfigsTable,
  item: ConfigsItem,
  userPoolClientIds: readonly string[],
  change: Change,
): Promise<void> {
  const clientId = String(item.clientId);
  const names = ['userPoolClientIds', ...misspelledKeys(item, 'userPoolClientIds')];
  const raw = (await readRawClient(table, clientId)) ?? {};
  const isUnchanged = names.every((name) => isDeepStrictEqual(readValue(raw[name]), item[name]));
  const unchanged = whileUnchanged(raw, names);
  const removed = names.slice(1).map((_, index) => `#name${index + 1}`);
  const isDone =
    isUnchanged &&
    (await update(table, clientId, newLastChange(change), {
      ...unchanged,
      UpdateExpression: `SET lastChange = :change, #name0 = :after${removing(removed)}`,
      ExpressionAttributeValues: {
        ...unchanged.ExpressionAttributeValues,
        ...marshall({ ':after': new Set(userPoolClientIds) }),
      },
    }));
  if (isDone) return;
  throw new ClientConflict(clientId, 'app clients');
}

/** The attributes of an item that look like misspellings of one with its keys. */
export function misspelledKeys(
  item: ConfigsItem,
  attribute: 'appIds' | 'userPoolClientIds',
): string[] {
  return unknownAttributes(item)
    .filter(({ path, meant }) => path.length === 1 && meant === attribute)
    .map(({ path: [name] }) => String(name));
}

/**
 * The condition that attributes of an item, named `#name0`, `#name1` and so on, are still what was
 * read. It takes DynamoDB's JSON: a number with 38 digits differs from what JavaScript makes of it.
 */
function whileUnchanged(raw: Readonly<Record<string, AttributeValue>>, names: readonly string[]) {
  const conditions = names.map((name, index) =>
    raw[name] === undefined
      ? `attribute_not_exists(#name${index})`
      : `#name${index} = :before${index}`,
  );
  return {
    ConditionExpression: ['attribute_exists(clientId)', ...conditions].join(' AND '),
    ExpressionAttributeNames: Object.fromEntries(
      names.map((name, index) => [`#name${index}`, name]),
    ),
    ExpressionAttributeValues: Object.fromEntries(
      names.flatMap((name, index) => (raw[name] ? [[`:before${index}`, raw[name]]] : [])),
    ),
  };
}

function removing(names: readonly string[]): string {
  return names.length > 0 ? ` REMOVE ${names}` : '';
}

/** Updates the item of a client, with its `lastChange` as `:change`. Returns false if the condition is not met. */
async function update(
  table: ConfigsTable,
  clientId: string,
  lastChange: LastChange,
  input: Omit<UpdateItemCommandInput, 'TableName' | 'Key'>,
): Promise<boolean> {
  try {
    await table.dynamodb.send(
      new UpdateItemCommand({
        ...input,
        TableName: table.tableName,
        Key: marshall({ clientId }),
        ExpressionAttributeValues: {
          ...input.ExpressionAttributeValues,
          ':change': { M: marshall(lastChange) },
        },
      }),
    );
    return true;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return isLastChange(table, clientId, lastChange);
  }
}
