import { setTimeout } from 'node:timers/promises';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  PutCommand,
  paginateQuery,
} from '@aws-sdk/lib-dynamodb';
import { formsOf } from 'customer-data-api/configuration';
import {
  type ErasuresTable,
  FUNCTION_TIMEOUT_SECONDS,
  readMarkers,
  UnreadableMarker,
  userHash,
  userPrefix,
} from 'customer-data-api/promo-events';

/** A user of one client: the same `userId` of another client is another user. */
export interface User {
  readonly clientId: string;
  readonly userId: string;
}

/** The PromoEvents table. */
interface PromoEventsTable {
  readonly documentClient: DynamoDBDocumentClient;
  readonly tableName: string;
}

/** The run of an erasure. */
interface ErasureRun {
  readonly signal: AbortSignal;
  /** Receives the number of items removed so far. */
  readonly onRemoved: (count: number) => void;
  /** The table is searched again after so many seconds. */
  readonly onWait: (seconds: number) => void;
}

/** The time of AWS has whole seconds: an erasure is dated to the end of its second. */
const SECOND_MS = 1000;
const DAY_SECONDS = 24 * 60 * 60;
/**
 * A day more than point-in-time recovery reaches back, and more than a message that was moved back
 * once can wait:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/PointInTimeRecovery_Howitworks.html
 */
const KEPT_DAYS = 36;
/**
 * By then, the functions have ended that did not know the marker, and what they wrote at last is
 * in the table.
 */
const WAIT_SECONDS = FUNCTION_TIMEOUT_SECONDS + 5;

/**
 * Writes the marker of a user: what was received until now is erased. From then on, the functions
 * drop such messages. The time never decreases.
 *
 * @param now the time of AWS, in whole seconds.
 * @returns the time of the marker, in ISO 8601.
 */
export async function markErased(
  table: ErasuresTable,
  { clientId, userId }: User,
  now: Date,
): Promise<string> {
  const end = now.getTime() + SECOND_MS;
  const erasedAt = new Date(end).toISOString();
  const user = await userHash(clientId, userId);
  const expiresAt = end / SECOND_MS + KEPT_DAYS * DAY_SECONDS;
  const put = new PutCommand({
    TableName: table.tableName,
    Item: { clientId, user, erasedAt, expiresAt },
    ConditionExpression: 'NOT erasedAt > :erasedAt',
    ExpressionAttributeValues: { ':erasedAt': erasedAt },
  });
  try {
    await table.documentClient.send(put);
    return erasedAt;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    const later = (await readMarkers(table, clientId, now)).get(user);
    if (later === undefined) throw new UnreadableMarker(clientId, user);
    return later;
  }
}

/** Removes the items of a user that were received before `erasedAt`, which a marker has. */
export async function eraseNow(
  table: PromoEventsTable,
  user: User,
  erasedAt: string,
  onRemoved = () => {},
  signal?: AbortSignal,
): Promise<void> {
  for await (const Key of keysOf(table, user)) {
    signal?.throwIfAborted();
    if (await eraseItem(table, Key, erasedAt)) onRemoved();
  }
}

/**
 * Removes the items of a user that were received before `erasedAt`, which a marker has. Searches
 * the table again after the time-out of the functions: they may have received an event before, and
 * store it now.
 *
 * @throws the errors of the AWS clients, and the reason of the signal.
 */
export async function eraseItems(
  table: PromoEventsTable,
  user: User,
  erasedAt: string,
  { signal, onRemoved, onWait }: ErasureRun,
): Promise<void> {
  let removed = 0;
  const eraseOnce = () => eraseNow(table, user, erasedAt, () => onRemoved(++removed), signal);
  await eraseOnce();
  onWait(WAIT_SECONDS);
  await setTimeout(WAIT_SECONDS * SECOND_MS, undefined, { signal }).catch(() => {});
  signal.throwIfAborted();
  await eraseOnce();
}

/** Counts the items of a user. */
export async function countItems(table: PromoEventsTable, user: User): Promise<number> {
  let count = 0;
  for await (const _ of keysOf(table, user)) count++;
  return count;
}

async function* keysOf(
  { documentClient, tableName: TableName }: PromoEventsTable,
  { clientId, userId }: User,
): AsyncGenerator<Record<string, unknown>> {
  for (const form of formsOf(userId)) {
    const query = {
      TableName,
      ConsistentRead: true,
      KeyConditionExpression: 'clientId = :clientId AND begins_with(eventId, :prefix)',
      ExpressionAttributeValues: { ':clientId': clientId, ':prefix': userPrefix(form) },
      // Policies require that a query names what it reads.
      Select: 'SPECIFIC_ATTRIBUTES' as const,
      ProjectionExpression: 'clientId, eventId',
    };
    for await (const { Items = [] } of paginateQuery({ client: documentClient }, query)) {
      yield* Items;
    }
  }
}

/** Removes an item, unless it was received later: the user came back. Returns true if it did. */
async function eraseItem(
  { documentClient, tableName: TableName }: PromoEventsTable,
  Key: Record<string, unknown>,
  erasedAt: string,
): Promise<boolean> {
  const remove = new DeleteCommand({
    TableName,
    Key,
    // One that lacks the time is removed, too.
    ConditionExpression: 'NOT receivedAt >= :erasedAt',
    ExpressionAttributeValues: { ':erasedAt': erasedAt },
  });
  try {
    await documentClient.send(remove);
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
