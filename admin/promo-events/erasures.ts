import { scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { type DynamoDBDocumentClient, PutCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import { comparableId } from '../../core/identifiers.ts';

/** The users who were erased lately, so that a restored table does not bring them back. */
export interface ErasuresTable {
  readonly documentClient: DynamoDBDocumentClient;
  readonly tableName: string;
}

/** When users of a client were erased last, in ISO 8601, by `userHash`. */
export type Erasures = ReadonlyMap<string, ReadonlyMap<string, string>>;

const DAY_SECONDS = 24 * 60 * 60;
/**
 * A day more than point-in-time recovery reaches back:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/PointInTimeRecovery_Howitworks.html
 */
const KEPT_DAYS = 36;
/** Makes a guess of a user id cost about ten milliseconds. */
const COST = { N: 2 ** 12 };
const HASH_BYTES = 16;

/** Returns a salted hash of a user id, from which the id can only be guessed. */
export async function userHash(clientId: string, userId: string): Promise<string> {
  const hash = promisify<string, string, number, object, Buffer>(scrypt);
  return (await hash(comparableId(userId), `erasures of ${clientId}`, HASH_BYTES, COST)).toString(
    'base64url',
  );
}

/** Records that a user is being erased. */
export async function recordErasure(
  { documentClient, tableName: TableName }: ErasuresTable,
  { clientId, userId }: { readonly clientId: string; readonly userId: string },
): Promise<void> {
  const now = new Date();
  const Item = {
    clientId,
    user: await userHash(clientId, userId),
    erasedAt: now.toISOString(),
    expiresAt: Math.ceil(now.getTime() / 1000) + KEPT_DAYS * DAY_SECONDS,
  };
  await documentClient.send(new PutCommand({ TableName, Item }));
}

/** Reads the erasures since a time, in ISO 8601. */
export async function readErasures(
  { documentClient, tableName }: ErasuresTable,
  since: string,
): Promise<Erasures> {
  const found = new Map<string, Map<string, string>>();
  const pages = paginateScan(
    { client: documentClient },
    {
      TableName: tableName,
      FilterExpression: 'erasedAt >= :since',
      ExpressionAttributeValues: { ':since': since },
      ConsistentRead: true,
    },
  );
  for await (const { Items = [] } of pages) {
    for (const { clientId, user, erasedAt } of Items) {
      found.set(clientId, (found.get(clientId) ?? new Map()).set(user, erasedAt));
    }
  }
  return found;
}
