import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  paginateQuery,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { readItem } from '../aws/attribute-values.ts';
import { available } from '../aws/available.ts';
import type { ConfigVersion, VersionSummary } from './version.ts';

/** Number of versions kept per client, the newest ones. */
export const KEPT_VERSIONS = 300;

/** The ConfigVersions table. */
export interface VersionsTable {
  readonly dynamodb: DynamoDBClient;
  readonly tableName: string;
}

/** The attributes of a version without its content. Some are reserved words in expressions. */
const SUMMARY = [
  ...['clientId', 'version', 'digest', 'at', 'source', 'by', 'message', 'restores', 'changeId'],
  ...['highestId', 'problems', 'isDeleted', 'isTooLarge', 'keys', 'eventId', 'position'],
] as const satisfies readonly (keyof VersionSummary)[];

const SUMMARY_NAMES = Object.fromEntries(SUMMARY.map((name) => [`#${name}`, name]));

/** Lists the versions of a client, newest first. Reads the next page on demand. */
export async function* listVersions(
  { dynamodb, tableName }: VersionsTable,
  clientId: string,
): AsyncGenerator<VersionSummary> {
  for await (const { Items = [] } of paginateQuery(
    { client: dynamodb },
    newestFirst(tableName, clientId),
  )) {
    for (const item of Items) yield toSummary(item);
  }
}

/** Reads the newest versions of a client in one call, newest first. */
export async function newestVersions(
  { dynamodb, tableName }: VersionsTable,
  clientId: string,
  count: number,
  abortSignal?: AbortSignal,
): Promise<VersionSummary[]> {
  const { Items = [] } = await dynamodb.send(
    new QueryCommand({ ...newestFirst(tableName, clientId), Limit: count }),
    { ...(abortSignal && { abortSignal }) },
  );
  return Items.map(toSummary);
}

/** Reads the newest version of a client; undefined if there is none. */
export async function newestVersion(
  table: VersionsTable,
  clientId: string,
  abortSignal?: AbortSignal,
): Promise<VersionSummary | undefined> {
  const [newest] = await newestVersions(table, clientId, 1, abortSignal);
  return newest;
}

/** Reads a version with its content; undefined if there is none. */
export async function readVersion(
  { dynamodb, tableName }: VersionsTable,
  clientId: string,
  version: number,
): Promise<ConfigVersion | undefined> {
  const { Item } = await dynamodb.send(
    new GetItemCommand({
      TableName: tableName,
      Key: marshall({ clientId, version }),
      ConsistentRead: true,
    }),
  );
  if (!Item) return undefined;
  const { fields, lastFieldId } = Item;
  return { ...toSummary(Item), content: { fields, lastFieldId } };
}

/**
 * Writes a version, and deletes the one that is no longer among the newest.
 *
 * @returns false if another call has written this number.
 * @throws what `available` throws.
 */
export async function writeVersion(
  { dynamodb, tableName }: VersionsTable,
  { content, ...summary }: ConfigVersion,
  abortSignal?: AbortSignal,
): Promise<boolean> {
  const { clientId, version } = summary;
  const options = { ...(abortSignal && { abortSignal }) };
  // Deleted first: a call that ends in between would otherwise leave a version behind forever.
  if (version > KEPT_VERSIONS) {
    const Key = marshall({ clientId, version: version - KEPT_VERSIONS });
    const deletion = new DeleteItemCommand({ TableName: tableName, Key });
    await available(dynamodb.send(deletion, options));
  }
  const { fields, lastFieldId } = content;
  const put = new PutItemCommand({
    TableName: tableName,
    Item: {
      ...marshall(summary, { removeUndefinedValues: true }),
      ...(fields && { fields }),
      ...(lastFieldId && { lastFieldId }),
    },
    ConditionExpression: 'attribute_not_exists(clientId)',
  });
  try {
    await available(dynamodb.send(put, options));
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

function newestFirst(tableName: string, clientId: string) {
  return {
    TableName: tableName,
    KeyConditionExpression: '#clientId = :clientId',
    ExpressionAttributeNames: SUMMARY_NAMES,
    ExpressionAttributeValues: { ':clientId': { S: clientId } },
    ProjectionExpression: Object.keys(SUMMARY_NAMES).join(),
    ScanIndexForward: false,
    ConsistentRead: true,
  };
}

function toSummary(item: Record<string, AttributeValue>): VersionSummary {
  const { fields: _, lastFieldId: __, ...summary } = item;
  return readItem(summary) as unknown as VersionSummary;
}
