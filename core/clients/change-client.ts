import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { type LastChange, newLastChange } from '../configuration/last-change.ts';
import { unknownAttributes } from '../configuration/unknown-attributes.ts';
import { ConflictError } from '../platform/command-error.ts';
import { type ConfigsItem, readKeys } from './client-record.ts';
import {
  type ConfigsTable,
  isLastChange,
  noSuchClient,
  readClient,
  readExistingClient,
} from './configs-table.ts';

/** Who makes a change, and why. The history shows both. */
export type Change = Pick<LastChange, 'by' | 'message'>;

/** How often the keys are read again because somebody else has changed them. */
const MAX_ATTEMPTS = 3;

/**
 * Creates the item of a client that has no fields yet.
 *
 * @throws ConflictError if there is an item with this id.
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
  if (!isDone)
    throw new ConflictError(`There is a client ${clientId} already. It was not changed.`);
}

/**
 * Removes the item of a client. Its history and its promo events stay.
 *
 * @throws CommandError if there is no such client.
 * @throws ConflictError if somebody changes the client at the same time.
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
  if (!isMarked) throw noSuchClient(clientId);
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
    throw new ConflictError(
      `Somebody changed the client ${clientId} meanwhile. It was not removed.`,
    );
  }
}

/**
 * Replaces the App-Ids of a client with one call, on the condition that they are still those that were read. Otherwise
 * it starts again with the new ones, so that two operators who change different keys both succeed.
 *
 * @param next receives the App-Ids, and returns what they become. It may throw, and is called again if they have changed.
 * @throws CommandError if there is no such client.
 * @throws ConflictError if somebody keeps changing the keys.
 */
export async function changeKeys(
  table: ConfigsTable,
  clientId: string,
  next: (appIds: readonly string[]) => readonly string[],
  change: Change,
): Promise<void> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const item = await readExistingClient(table, clientId);
    const { appIds: before } = item;
    const after = next(readKeys(item, false).appIds);
    const isDone = await update(table, clientId, newLastChange(change), {
      // DynamoDB has no empty sets.
      UpdateExpression: `SET lastChange = :change${after.length > 0 ? ', appIds = :after' : ' REMOVE appIds'}`,
      ConditionExpression: `attribute_exists(clientId) AND ${before === undefined ? 'attribute_not_exists(appIds)' : 'appIds = :before'}`,
      ExpressionAttributeValues: marshall({
        ...(after.length > 0 && { ':after': new Set(after) }),
        ...(before !== undefined && { ':before': before }),
      }),
    });
    if (isDone) return;
  }
  throw new ConflictError(
    `Others are changing the keys of the client ${clientId}. Nothing was changed: try again.`,
  );
}

/**
 * Replaces the app clients whose tokens a client accepts, on the condition that they are still those that were read. An
 * attribute that looks like a misspelling of `userPoolClientIds` is removed.
 *
 * @param item what was read.
 * @throws ConflictError if somebody has changed one of these attributes since.
 */
export async function setAppClients(
  table: ConfigsTable,
  item: ConfigsItem,
  userPoolClientIds: readonly string[],
  change: Change,
): Promise<void> {
  const clientId = String(item.clientId);
  const names = ['userPoolClientIds', ...misspelledAppClients(item)];
  const conditions = names.map((_, index) =>
    item[names[index] ?? ''] === undefined
      ? `attribute_not_exists(#name${index})`
      : `#name${index} = :before${index}`,
  );
  const removed = names.slice(1).map((_, index) => `#name${index + 1}`);
  const isDone = await update(table, clientId, newLastChange(change), {
    UpdateExpression: `SET lastChange = :change, #name0 = :after${removed.length > 0 ? ` REMOVE ${removed}` : ''}`,
    ConditionExpression: ['attribute_exists(clientId)', ...conditions].join(' AND '),
    ExpressionAttributeNames: Object.fromEntries(
      names.map((name, index) => [`#name${index}`, name]),
    ),
    ExpressionAttributeValues: marshall(
      {
        ':after': new Set(userPoolClientIds),
        ...Object.fromEntries(names.map((name, index) => [`:before${index}`, item[name]])),
      },
      { removeUndefinedValues: true },
    ),
  });
  if (isDone) return;
  throw new ConflictError(
    `Somebody changed the app clients of the client ${clientId} meanwhile. Nothing was changed: try again.`,
  );
}

/** The attributes of an item that look like misspellings of `userPoolClientIds`. */
export function misspelledAppClients(item: ConfigsItem): string[] {
  return unknownAttributes(item)
    .filter(({ path, meant }) => path.length === 1 && meant === 'userPoolClientIds')
    .map(({ path: [name] }) => String(name));
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
