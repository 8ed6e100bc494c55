import { setTimeout } from 'node:timers/promises';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  PutCommand,
  paginateQuery,
} from '@aws-sdk/lib-dynamodb';
import {
  type ErasuresTable,
  erasureLookup,
  FUNCTION_TIMEOUT_SECONDS,
  type IsErased,
  MARKER_DAYS,
  readMarkers,
  UnreadableMarker,
  userHash,
  userPrefix,
} from 'customer-data-api/promo-events';
import { documentClient } from 'customer-data-api-deployment';
import type { Change, CommandContext, Done, Shown } from 'customer-data-api-deployment/change';
import type { Outputs } from 'customer-data-api-deployment/outputs';
import { UserError } from 'customer-data-api-deployment/program';
import { expectKnownClient } from 'customer-data-api-editor/clients';
import { awsTime } from './aws-time.ts';
import { isSameUser } from './same-user-or-code.ts';
import { type PromoEventsTable, storedSpellings, type User } from './stored-spellings.ts';
import { searchingAgain } from './words.ts';

/** The run of an erasure. */
interface ErasureRun extends Pick<CommandContext, 'signal' | 'onWait'> {
  /** Receives the number of items removed so far. */
  readonly onRemoved: (count: number) => void;
}

/** The time of AWS has whole seconds: an erasure is dated to the end of its second. */
const SECOND_MS = 1000;
const DAY_SECONDS = 24 * 60 * 60;
/**
 * A time after which the functions have ended that did not know the marker, and what they wrote at
 * last is in the table.
 */
const WAIT_SECONDS = FUNCTION_TIMEOUT_SECONDS + 5;

/** A spelling of a user's id, and the number of its items in the table. */
interface Spelling {
  readonly userId: string;
  readonly found: number;
}

/** The data that an erasure would find. */
interface ShownErasure extends Shown {
  /** The number of the user's items in the table. */
  readonly found: number;
  /** The spellings of the user's id: of a UUID, letters in any case. */
  readonly spellings: readonly Spelling[];
  /** Users whose ids differ in their Unicode form only: nothing of them is erased. */
  readonly otherForms: readonly Spelling[];
}

/** An erasure. */
interface Erased extends Done {
  /** Everything that was received before is erased, in ISO 8601. */
  readonly erasedAt: string;
  /** The number of items that were removed from the table. */
  readonly removed: number;
}

/**
 * Erases what was received about a user until now. Nothing in the table is a success: messages may
 * wait in the queues, and a backup may have what an accident has deleted. Fails for a client that
 * never existed.
 */
export function userErasure(user: User): Change<ShownErasure, Erased, CommandContext> {
  return {
    isUnsigned: true,
    async show({ deployment: { outputs }, tables }) {
      using documents = documentClient(outputs);
      const table = { documentClient: documents, tableName: outputs.PromoEventsTableName };
      const alike: Spelling[] = [];
      for (const userId of await storedSpellings(table, user)) {
        const found = await countKeys(table, user.clientId, [userId]);
        if (found > 0) alike.push({ userId, found });
      }
      const isOwn = ({ userId }: Spelling) => isSameUser(user.userId, userId);
      const spellings = alike.filter(isOwn);
      const found = spellings.reduce((sum, spelling) => sum + spelling.found, 0);
      // Nothing would be stored of a client with a misspelled id either.
      if (found === 0) await expectKnownClient(tables, user.clientId);
      return { found, spellings, otherForms: alike.filter((one) => !isOwn(one)) };
    },
    async apply({ deployment: { outputs }, signal, onCount, onWait }) {
      using documents = documentClient(outputs);
      const table = { documentClient: documents, tableName: outputs.PromoEventsTableName };
      const erasures = { documentClient: documents, tableName: outputs.ErasuresTableName };
      const now = await awsTime(documents, outputs.PromoEventsTableName);
      const erasedAt = await markErased(erasures, user, now).catch(throwForOperator);
      let removed = 0;
      const onRemoved = (count: number) => {
        removed = count;
        onCount(count);
      };
      try {
        await eraseItems(table, user, erasedAt, { signal, onRemoved, onWait });
        return { erasedAt, removed };
      } catch (failure) {
        return { erasedAt, removed, failure };
      }
    },
  };
}

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
  const expiresAt = end / SECOND_MS + MARKER_DAYS * DAY_SECONDS;
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

/** Throws an error again. If a marker was edited manually, the error says what to correct. */
export function throwForOperator(error: unknown): never {
  throw error instanceof UnreadableMarker ? new UserError(error.message, 'incomplete') : error;
}

/** Removes the items of a user that were received before `erasedAt`, which a marker has. */
export async function eraseNow(
  table: PromoEventsTable,
  user: User,
  erasedAt: string,
  onRemoved = () => {},
  signal?: AbortSignal,
): Promise<void> {
  for await (const Key of keysOf(table, user.clientId, await ownSpellings(table, user))) {
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
  onWait(searchingAgain(WAIT_SECONDS));
  await setTimeout(WAIT_SECONDS * SECOND_MS, undefined, { signal }).catch(() => {});
  signal.throwIfAborted();
  await eraseOnce();
}

/** Counts the items of a user. */
export async function countItems(table: PromoEventsTable, user: User): Promise<number> {
  return await countKeys(table, user.clientId, await ownSpellings(table, user));
}

async function ownSpellings(table: PromoEventsTable, user: User): Promise<string[]> {
  const alike = await storedSpellings(table, user);
  return alike.filter((userId) => isSameUser(user.userId, userId));
}

async function countKeys(...of: Parameters<typeof keysOf>): Promise<number> {
  let count = 0;
  for await (const _ of keysOf(...of)) count++;
  return count;
}

async function* keysOf(
  { documentClient, tableName: TableName }: PromoEventsTable,
  clientId: string,
  userIds: readonly string[],
): AsyncGenerator<Record<string, unknown>> {
  for (const userId of userIds) {
    const query = {
      TableName,
      ConsistentRead: true,
      KeyConditionExpression: 'clientId = :clientId AND begins_with(eventId, :prefix)',
      ExpressionAttributeValues: { ':clientId': clientId, ':prefix': userPrefix(userId) },
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

/**
 * Returns the function that creates a lookup of the erasures of a deployment. A lookup knows the
 * markers of a client as they are at the first event of the client.
 */
export async function erasureLookups(
  documentClient: DynamoDBDocumentClient,
  { ErasuresTableName, PromoEventsTableName }: Outputs,
): Promise<() => IsErased> {
  const now = await awsTime(documentClient, PromoEventsTableName);
  return () => erasureLookup({ documentClient, tableName: ErasuresTableName }, now);
}
