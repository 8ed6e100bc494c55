import { scrypt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, PutCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import { comparableId } from 'customer-data-api/configuration';

/** The users who were erased lately, so that a restored table does not bring them back. */
export interface ErasuresTable {
  readonly documentClient: DynamoDBDocumentClient;
  readonly tableName: string;
}

/** Until when users of a client are erased, in ISO 8601, by `userHash`. */
export type Erasures = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** An erasure is dated to the end of the second in which it is recorded. */
const SECOND_MS = 1000;
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

/**
 * Records that what was received about a user until now is erased. That time never decreases, and
 * is over when this returns: what is received later stays.
 *
 * @param now the time of AWS, in whole seconds.
 */
export async function recordErasure(
  { documentClient, tableName: TableName }: ErasuresTable,
  { clientId, userId }: { readonly clientId: string; readonly userId: string },
  now: Date,
): Promise<void> {
  const end = now.getTime() + SECOND_MS;
  const Item = {
    clientId,
    user: await userHash(clientId, userId),
    erasedAt: new Date(end).toISOString(),
    expiresAt: end / SECOND_MS + KEPT_DAYS * DAY_SECONDS,
  };
  const put = new PutCommand({
    ...{ TableName, Item },
    ConditionExpression: 'attribute_not_exists(erasedAt) OR erasedAt < :erasedAt',
    ExpressionAttributeValues: { ':erasedAt': Item.erasedAt },
  });
  try {
    await documentClient.send(put);
  } catch (error) {
    // The user was erased again in the meantime.
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
  await setTimeout(SECOND_MS);
}

/**
 * Reads all recorded erasures. One that was recorded before a restore point may have removed items
 * after it, and the restored table has what an accident had removed before an erasure.
 */
export async function readErasures({
  documentClient,
  tableName,
}: ErasuresTable): Promise<Erasures> {
  const found = new Map<string, Map<string, string>>();
  const pages = paginateScan(
    { client: documentClient },
    { TableName: tableName, ConsistentRead: true },
  );
  for await (const { Items = [] } of pages) {
    for (const { clientId, user, erasedAt } of Items) {
      found.set(clientId, (found.get(clientId) ?? new Map()).set(user, erasedAt));
    }
  }
  return found;
}
