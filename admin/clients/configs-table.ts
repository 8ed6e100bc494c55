import {
  type AttributeValue,
  type DynamoDBClient,
  GetItemCommand,
  paginateScan,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { readItem } from '../../core/aws/attribute-values.ts';
import type { ConfigsItem } from '../../core/client-attributes.ts';
import { type LastChange, readLastChange } from '../../core/clients/last-change.ts';
import { NoSuchClient } from '../errors.ts';

/** Where the items of the clients are. */
export interface ConfigsTable {
  readonly dynamodb: DynamoDBClient;
  readonly tableName: string;
}

/**
 * Lists the items of all clients, in DynamoDB's order. It reads a page when the one before has been
 * used.
 */
export async function* listClients({
  dynamodb,
  tableName,
}: ConfigsTable): AsyncGenerator<ConfigsItem> {
  const input = { TableName: tableName, ConsistentRead: true };
  for await (const { Items = [] } of paginateScan({ client: dynamodb }, input)) {
    for (const item of Items) yield readItem(item);
  }
}

/** Reads the item of a client; undefined if there is none. */
export async function readClient(
  table: ConfigsTable,
  clientId: string,
): Promise<ConfigsItem | undefined> {
  const item = await readRawClient(table, clientId);
  return item && readItem(item);
}

/** Reads the item of a client in DynamoDB's JSON; undefined if there is none. */
export async function readRawClient(
  { dynamodb, tableName }: ConfigsTable,
  clientId: string,
): Promise<Record<string, AttributeValue> | undefined> {
  const { Item } = await dynamodb.send(
    new GetItemCommand({
      TableName: tableName,
      Key: marshall({ clientId }),
      ConsistentRead: true,
    }),
  );
  return Item;
}

/**
 * Reads the item of a client.
 *
 * @throws NoSuchClient
 */
export async function readExistingClient(
  table: ConfigsTable,
  clientId: string,
): Promise<ConfigsItem> {
  const item = await readClient(table, clientId);
  if (!item) throw new NoSuchClient(clientId);
  return item;
}

/**
 * Returns whether a change is the last one of a client's item. Call it when the condition of the
 * change is not met: after a lost response the SDK repeats the call, and the condition then fails
 * because of the change itself.
 */
export async function isLastChange(
  table: ConfigsTable,
  clientId: string,
  { id }: LastChange,
): Promise<boolean> {
  const item = await readClient(table, clientId);
  return item !== undefined && readLastChange(item)?.id === id;
}
