import {
  type AttributeValue,
  type DynamoDBClient,
  GetItemCommand,
  paginateScan,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { CLIENT_ATTRIBUTES, ConfigsItem } from 'customer-data-api/clients';
import { type LastChange, readItem, readLastChange } from 'customer-data-api/clients';
import { NoSuchClient } from '../errors.ts';

/** The Configs table. */
export interface ConfigsTable {
  readonly dynamodb: DynamoDBClient;
  readonly configsTableName: string;
}

/**
 * Lists the items of all clients, in DynamoDB's order. Reads the next page on demand.
 *
 * @param attributes those to read; all by default.
 */
export async function* listClients(
  { dynamodb, configsTableName: TableName }: ConfigsTable,
  attributes?: readonly (typeof CLIENT_ATTRIBUTES)[number][],
): AsyncGenerator<ConfigsItem> {
  const input = {
    TableName,
    ConsistentRead: true,
    ...(attributes && { ProjectionExpression: attributes.join() }),
  };
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
  { dynamodb, configsTableName: TableName }: ConfigsTable,
  clientId: string,
): Promise<Record<string, AttributeValue> | undefined> {
  const { Item } = await dynamodb.send(
    new GetItemCommand({ TableName, Key: marshall({ clientId }), ConsistentRead: true }),
  );
  return Item;
}

/** Reads the item of a client. Throws NoSuchClient. */
export async function readExistingClient(
  table: ConfigsTable,
  clientId: string,
): Promise<ConfigsItem> {
  const item = await readClient(table, clientId);
  if (!item) throw new NoSuchClient(clientId);
  return item;
}

/**
 * True if a change is the last one of its client. Call it when the change's condition fails: after
 * a lost response the AWS SDK repeats the call, and the change itself violates its condition.
 */
export async function isLastChange(
  table: ConfigsTable,
  clientId: string,
  { id }: LastChange,
): Promise<boolean> {
  const item = await readClient(table, clientId);
  return item !== undefined && readLastChange(item)?.id === id;
}
