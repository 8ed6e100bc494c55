import {
  type AttributeValue,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  paginateScan,
  ScanCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import {
  type CLIENT_ATTRIBUTES,
  type LastChange,
  readClient,
  type StoredClient,
} from 'customer-data-api/clients';
import { newestVersion, type Version, type VersionsTable } from 'customer-data-api/history';
import { NoSuchClient } from '../errors.ts';

/** The author and the reason of a change, for the history. */
export type Authorship = Pick<LastChange, 'by' | 'message'>;

/** The Configs table. */
export interface ConfigsTable {
  readonly dynamodb: DynamoDBClient;
  readonly configsTableName: string;
}

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

/** Reads a client. Throws NoSuchClient. */
export async function readExistingClient(
  table: ConfigsTable,
  clientId: string,
): Promise<StoredClient> {
  const client = await findClient(table, clientId);
  if (!client) throw new NoSuchClient(clientId);
  return client;
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
  return (await findClient(table, clientId))?.lastChange?.id === id;
}

/** A change of an item, in DynamoDB's JSON, whose numbers have more digits than JavaScript's. */
interface ItemUpdate {
  /** The new values; undefined removes an attribute. */
  readonly set: Readonly<Record<string, AttributeValue | undefined>>;
  /** Attributes that must still have these values, or still be missing. */
  readonly unchanged?: Readonly<Record<string, AttributeValue | undefined>>;
  /** True to create the item, which must not exist; otherwise it must exist. */
  readonly creates?: boolean;
}

/**
 * Updates the item of a client and its `lastChange` in one call.
 *
 * @returns undefined after success; DynamoDB's refusal if a condition is not met.
 * @throws the AWS SDK's errors. If a read fails after a refused write, `cause` is the refusal.
 */
export async function updateClient(
  table: ConfigsTable,
  clientId: string,
  lastChange: LastChange,
  update: ItemUpdate,
): Promise<ConditionalCheckFailedException | undefined> {
  try {
    await table.dynamodb.send(
      new UpdateItemCommand({
        TableName: table.configsTableName,
        Key: marshall({ clientId }),
        ...expressionsOf({
          ...update,
          set: { ...update.set, lastChange: { M: marshall(lastChange) } },
        }),
      }),
    );
    return undefined;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    // After a lost response the AWS SDK repeats the call, which fails because of the change itself.
    const isMade = await isLastChange(table, clientId, lastChange).catch((failure) => {
      throw Object.assign(failure, { cause: error });
    });
    return isMade ? undefined : error;
  }
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

/** Writes the expressions of `UpdateItem`. Names are numbered: any may be a reserved word. */
function expressionsOf({ set, unchanged = {}, creates = false }: ItemUpdate) {
  const names: string[] = [];
  const values: AttributeValue[] = [];
  const name = (attribute: string) => {
    if (!names.includes(attribute)) names.push(attribute);
    return `#${names.indexOf(attribute)}`;
  };
  const equals = ([attribute, value]: [string, AttributeValue]) =>
    `${name(attribute)} = :${values.push(value) - 1}`;
  const assignments: string[] = [];
  const removals: string[] = [];
  for (const [attribute, value] of Object.entries(set)) {
    if (value) assignments.push(equals([attribute, value]));
    else removals.push(name(attribute));
  }
  const conditions = Object.entries(unchanged).map(([attribute, value]) =>
    value ? equals([attribute, value]) : `attribute_not_exists(${name(attribute)})`,
  );
  const exists = `attribute_${creates ? 'not_' : ''}exists(${name('clientId')})`;
  return {
    UpdateExpression: `SET ${assignments}${removals.length > 0 ? ` REMOVE ${removals}` : ''}`,
    ConditionExpression: [exists, ...conditions].join(' AND '),
    ExpressionAttributeNames: Object.fromEntries(names.map((one, index) => [`#${index}`, one])),
    ExpressionAttributeValues: Object.fromEntries(values.map((one, index) => [`:${index}`, one])),
  };
}

/** Picks attributes of an item. A missing one is undefined. */
export function pick(
  raw: Readonly<Record<string, AttributeValue>>,
  names: readonly string[],
): Record<string, AttributeValue | undefined> {
  return Object.fromEntries(names.map((name) => [name, raw[name]]));
}

/**
 * Finds the clients that have a history and no item, although no command removed them.
 *
 * @param existing the ids of the clients that have an item.
 * @returns the newest version of each: the deletion, unless that is not recorded yet.
 */
export async function* findDeletedClients(
  versions: VersionsTable,
  existing: ReadonlySet<string>,
): AsyncGenerator<Version> {
  for await (const clientId of clientsWithVersions(versions)) {
    if (existing.has(clientId)) continue;
    const newest = await newestVersion(versions, clientId);
    if (newest && !(newest.isDeleted && newest.source === 'published')) yield newest;
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
