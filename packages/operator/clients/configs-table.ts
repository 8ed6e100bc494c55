import { isDeepStrictEqual } from 'node:util';
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
  type NewChange,
  newLastChange,
  readClient,
  type StoredClient,
} from 'customer-data-api/clients';
import { newestVersion, type Version, type VersionsTable } from 'customer-data-api/history';
import { NoSuchClient } from '../errors.ts';

/** The author and the reason of a change, for the history. */
export type Authorship = Pick<NewChange, 'by' | 'message'>;

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

/** A change of an item, in DynamoDB's JSON, whose numbers have more digits than JavaScript's. */
interface ItemUpdate {
  /** The client as it was read directly before; undefined to create it. */
  readonly before: StoredClient | undefined;
  /** The new values; undefined removes an attribute. */
  readonly set: Readonly<Record<string, AttributeValue | undefined>>;
  /** Attributes that must still have these values, or still be missing. */
  readonly unchanged?: Readonly<Record<string, AttributeValue | undefined>>;
  /** The id of the rollout that must still run, with whatever share. */
  readonly rolloutId?: string;
}

/** An update of an item that was made, or DynamoDB's refusal because a condition is not met. */
type Written =
  | { readonly lastChange: LastChange; readonly refusal?: undefined }
  | { readonly refusal: ConditionalCheckFailedException; readonly lastChange?: undefined };

/**
 * Updates the item of a client and its `lastChange` in one call, on the condition that this is
 * still the one that was read. If another change came first, it tries the other conditions again.
 *
 * @throws the AWS SDK's errors. If a read fails after a refused write, `cause` is the refusal.
 */
export async function updateClient(
  table: ConfigsTable,
  clientId: string,
  change: NewChange,
  update: ItemUpdate,
): Promise<Written> {
  for (let { before } = update; ; ) {
    const lastChange = newLastChange(change, before?.lastChange);
    try {
      await table.dynamodb.send(
        new UpdateItemCommand({
          TableName: table.configsTableName,
          Key: marshall({ clientId }),
          ...expressionsOf({
            ...update,
            set: { ...update.set, lastChange: { M: marshall(lastChange) } },
            unchanged: { ...update.unchanged, lastChange: before?.raw.lastChange },
          }),
        }),
      );
      return { lastChange };
    } catch (refusal) {
      if (!(refusal instanceof ConditionalCheckFailedException)) throw refusal;
      const now = await findClient(table, clientId).catch((failure) => {
        throw Object.assign(failure, { cause: refusal });
      });
      // After a lost response the AWS SDK repeats the call, which the change itself then refuses.
      if (now?.lastChange?.id === lastChange.id) return { lastChange };
      const isRepeated = refusal.$metadata.attempts !== 1;
      if (isRepeated || !before || !now || isSameChange(before, now)) return { refusal };
      before = now;
    }
  }
}

function isSameChange({ raw: one }: StoredClient, { raw: other }: StoredClient): boolean {
  return isDeepStrictEqual(one.lastChange, other.lastChange);
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
function expressionsOf({ before, set, unchanged = {}, rolloutId }: ItemUpdate) {
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
  if (rolloutId !== undefined) {
    conditions.push(`${name('rollout')}.${equals(['id', { S: rolloutId }])}`);
  }
  const exists = `attribute_${before ? '' : 'not_'}exists(${name('clientId')})`;
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
