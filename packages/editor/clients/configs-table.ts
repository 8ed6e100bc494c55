import {
  ConditionalCheckFailedException,
  GetItemCommand,
  paginateScan,
  ScanCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { type CLIENT_ATTRIBUTES, readClient, type StoredClient } from 'customer-data-api/clients';
import { newestVersion, type Version, type VersionsTable } from 'customer-data-api/history';
import type { ConfigsTable, ConfigurationTables } from 'customer-data-api-deployment';
import { OperatorError } from '../errors.ts';

/**
 * Lists all clients, in DynamoDB's order. Reads the next page on demand.
 *
 * @param attributes those to read; all by default.
 */
export async function* listClients(
  { dynamodb, configsTableName: TableName }: ConfigsTable,
  attributes?: readonly (typeof CLIENT_ATTRIBUTES)[number][],
): AsyncGenerator<StoredClient> {
  const input = {
    TableName,
    ConsistentRead: true,
    ...(attributes && { ProjectionExpression: attributes.join() }),
  };
  for await (const { Items = [] } of paginateScan({ client: dynamodb }, input)) {
    for (const item of Items) yield readClient(item);
  }
}

/** Reads those of some clients that exist, one after the other. */
export async function* readClients(
  table: ConfigsTable,
  clientIds: Iterable<string>,
): AsyncGenerator<StoredClient> {
  for (const clientId of clientIds) {
    const client = await findClient(table, clientId);
    if (client) yield client;
  }
}

/** Reads a client; undefined if there is none. */
export async function findClient(
  { dynamodb, configsTableName: TableName }: ConfigsTable,
  clientId: string,
): Promise<StoredClient | undefined> {
  const { Item } = await dynamodb.send(
    new GetItemCommand({ TableName, Key: marshall({ clientId }), ConsistentRead: true }),
  );
  return Item && readClient(Item);
}

/** Reads a client. Throws OperatorError noSuchClient. */
export async function readExistingClient(
  table: ConfigsTable,
  clientId: string,
): Promise<StoredClient> {
  const client = await findClient(table, clientId);
  if (!client) throw new OperatorError('noSuchClient', { clientId });
  return client;
}

/**
 * Makes the call of a change on a condition that never holds. Nothing is written, but AWS refuses
 * a caller who may not change the client.
 *
 * @throws the AWS SDK's errors.
 */
export async function expectMayUpdate(table: ConfigsTable, clientId: string): Promise<void> {
  try {
    await table.dynamodb.send(
      new UpdateItemCommand({
        TableName: table.configsTableName,
        Key: marshall({ clientId }),
        ConditionExpression: 'attribute_exists(clientId) AND attribute_not_exists(clientId)',
      }),
    );
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

/** The time for which a client that was deleted manually is reported. */
const DELETED_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * Finds the clients that have a history and no item, although no command removed them.
 *
 * @param existing the ids of the clients that have an item.
 * @param clientIds those of the clients to look at; all by default.
 * @returns the newest version of each: the deletion, unless that is not recorded yet.
 */
export async function* findDeletedClients(
  versions: VersionsTable,
  existing: ReadonlySet<string>,
  clientIds?: Iterable<string>,
): AsyncGenerator<Version> {
  for await (const clientId of clientIds ?? clientsWithVersions(versions)) {
    if (existing.has(clientId)) continue;
    const newest = await newestVersion(versions, clientId);
    if (!newest || (newest.isDeleted && newest.source === 'published')) continue;
    if (Date.now() - Date.parse(newest.at) <= DELETED_MS) yield newest;
  }
}

/**
 * Lists the clients that have versions. It reads one version of each client and goes on behind its
 * last possible one: a client may have hundreds of them, as large as an item can be.
 */
async function* clientsWithVersions({
  dynamodb,
  versionsTableName,
}: VersionsTable): AsyncGenerator<string> {
  let ExclusiveStartKey: ScanCommand['input']['ExclusiveStartKey'];
  do {
    const { Items = [], LastEvaluatedKey } = await dynamodb.send(
      new ScanCommand({
        TableName: versionsTableName,
        Limit: 1,
        ProjectionExpression: 'clientId',
        ...(ExclusiveStartKey && { ExclusiveStartKey }),
      }),
    );
    const clientId = Items[0]?.clientId?.S;
    if (clientId !== undefined) yield clientId;
    ExclusiveStartKey =
      clientId === undefined
        ? LastEvaluatedKey
        : marshall({ clientId, version: Number.MAX_SAFE_INTEGER });
  } while (ExclusiveStartKey);
}

/** Fails with noSuchClient if a client never existed. Promo events outlive their client. */
export async function expectKnownClient(
  tables: ConfigurationTables,
  clientId: string,
): Promise<void> {
  if (await findClient(tables, clientId)) return;
  if (await newestVersion(tables, clientId)) return;
  throw new OperatorError('noSuchClient', { clientId });
}
