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
import { isInvalid, orUnavailable } from '../aws/or-unavailable.ts';
import { type RecordedAccess, redactedAccess } from '../clients/recorded-access.ts';
import { contentOf, type StoredContent } from '../configuration/stored-content.ts';
import type { ClientRules, Version, VersionWithContent } from './version.ts';

/**
 * Number of versions kept per client, the newest ones. Those younger than `KEPT_DAYS` are kept too,
 * so that nobody can push a good version out of the history by many changes.
 */
const KEPT_VERSIONS = 300;
const KEPT_DAYS = 30;

/** The ConfigVersions table. */
export interface VersionsTable {
  readonly dynamodb: DynamoDBClient;
  readonly versionsTableName: string;
}

/** A version in the table, where four attributes have the names of the first versions. */
type StoredVersion = Omit<Version, 'source' | 'access' | 'findings' | 'rulesBeforeManualEdits'> & {
  /** `outside`: a manual edit. */
  readonly source: 'published' | 'outside';
  readonly problems: number;
  readonly keys: Omit<RecordedAccess, 'fingerprints'> & { readonly appIds: readonly string[] };
  readonly toolRules?: ClientRules | undefined;
};

/** The attributes of a version without its content. Some are reserved words in expressions. */
const SUMMARY = [
  'clientId',
  'version',
  'digest',
  'at',
  'source',
  'by',
  'message',
  'restores',
  'changeId',
  'highestId',
  'problems',
  'errors',
  'isDeleted',
  'isTooLarge',
  'rollout',
  'promoCodesIgnoreCase',
  'toolRules',
  'keys',
  'eventId',
  'position',
] as const satisfies readonly (keyof StoredVersion)[];

const SUMMARY_NAMES = Object.fromEntries(SUMMARY.map((name) => [`#${name}`, name]));

/**
 * Lists the versions of a client, newest first. Reads the next page on demand.
 *
 * @param pageSize versions per page, for a reader of few; by default, as many as DynamoDB returns.
 */
export async function* listVersions(
  { dynamodb, versionsTableName }: VersionsTable,
  clientId: string,
  pageSize?: number,
  abortSignal?: AbortSignal,
): AsyncGenerator<Version> {
  for await (const { Items = [] } of paginateQuery(
    { client: dynamodb, ...(pageSize && { pageSize }) },
    newestFirst(versionsTableName, clientId),
    { ...(abortSignal && { abortSignal }) },
  )) {
    for (const item of Items) yield toVersion(item);
  }
}

/** Reads the newest versions of a client in one call, newest first. */
export async function newestVersions(
  { dynamodb, versionsTableName }: VersionsTable,
  clientId: string,
  count: number,
  abortSignal?: AbortSignal,
): Promise<Version[]> {
  const { Items = [] } = await dynamodb.send(
    new QueryCommand({ ...newestFirst(versionsTableName, clientId), Limit: count }),
    { ...(abortSignal && { abortSignal }) },
  );
  return Items.map(toVersion);
}

/** Reads the newest version of a client; undefined if there is none. */
export async function newestVersion(
  table: VersionsTable,
  clientId: string,
  abortSignal?: AbortSignal,
): Promise<Version | undefined> {
  const [newest] = await newestVersions(table, clientId, 1, abortSignal);
  return newest;
}

/** Reads a version with its content; undefined if there is none. */
export async function readVersion(
  { dynamodb, versionsTableName }: VersionsTable,
  clientId: string,
  version: number,
): Promise<VersionWithContent | undefined> {
  const { Item } = await dynamodb.send(
    new GetItemCommand({
      TableName: versionsTableName,
      Key: marshall({ clientId, version }),
      ConsistentRead: true,
    }),
  );
  if (!Item) return undefined;
  const { candidate } = Item;
  return {
    ...toVersion(Item),
    content: contentOf(Item),
    ...(candidate?.M && { candidate: contentOf(candidate.M) }),
  };
}

/**
 * Deletes old versions, and writes a version. An item of almost 400 KB leaves no room for the other
 * attributes: then it is written without the candidate, or without all of its content. Digests
 * still tell the next change what it follows.
 *
 * @returns the version as written; undefined if another call has written this number.
 * @throws what `orUnavailable` throws.
 */
export async function writeVersion(
  table: VersionsTable,
  version: VersionWithContent,
  abortSignal?: AbortSignal,
): Promise<Version | undefined> {
  const { content, candidate, ...summary } = version;
  const { dynamodb, versionsTableName } = table;
  const options = { ...(abortSignal && { abortSignal }) };
  if (summary.version > KEPT_VERSIONS) await deleteOldVersions(table, summary, options);
  const put = new PutItemCommand({
    TableName: versionsTableName,
    Item: {
      ...marshall(toStored(summary), { removeUndefinedValues: true }),
      ...attributes(content),
      ...(candidate && { candidate: { M: attributes(candidate) } }),
    },
    ConditionExpression: 'attribute_not_exists(clientId)',
  });
  try {
    await orUnavailable(dynamodb.send(put, options));
    return summary;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    if (!isInvalid(error) || version.isTooLarge) throw error;
    const smaller = candidate
      ? { ...version, candidate: undefined }
      : { ...version, content: {}, isTooLarge: true };
    return writeVersion(table, smaller, abortSignal);
  }
}

/** Leaves out attributes without a value. */
function attributes(content: StoredContent): Record<string, AttributeValue> {
  return Object.fromEntries(
    Object.entries(content).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  );
}

/** Deletes up to two versions, so that a history that grew too long becomes shorter. */
async function deleteOldVersions(
  { dynamodb, versionsTableName: TableName }: VersionsTable,
  { clientId, version }: Version,
  options: { readonly abortSignal?: AbortSignal },
): Promise<void> {
  const oldest = { ...newestFirst(TableName, clientId), ScanIndexForward: true, Limit: 2 };
  const { Items = [] } = await orUnavailable(dynamodb.send(new QueryCommand(oldest), options));
  const kept = new Date(Date.now() - KEPT_DAYS * 24 * 60 * 60 * 1000).toISOString();
  for (const { version: number, at } of Items.map(toVersion)) {
    if (number > version - KEPT_VERSIONS || at >= kept) return;
    const Key = marshall({ clientId, version: number });
    await orUnavailable(dynamodb.send(new DeleteItemCommand({ TableName, Key }), options));
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

function toStored(stored: Version): StoredVersion {
  const { source, findings, access, rulesBeforeManualEdits: toolRules, ...version } = stored;
  const { fingerprints: appIds, ...appClients } = access;
  return {
    ...version,
    source: source === 'manualEdit' ? 'outside' : source,
    problems: findings,
    keys: { appIds, ...appClients },
    toolRules,
  };
}

function toVersion(item: Record<string, AttributeValue>): Version {
  const { fields: _, lastFieldId: __, language: ___, candidate: ____, ...summary } = item;
  const { problems, keys, toolRules, ...version } = readItem(summary) as unknown as StoredVersion;
  // A version that was edited by hand can lack them, and must not hide the others.
  const { appIds: fingerprints = [], ...appClients } = keys ?? {};
  return {
    ...version,
    source: version.source === 'outside' ? 'manualEdit' : version.source,
    findings: problems,
    ...(toolRules && { rulesBeforeManualEdits: toolRules }),
    access: redactedAccess({ fingerprints, ...appClients }),
  };
}
