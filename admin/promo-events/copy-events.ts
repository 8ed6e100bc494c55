import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  PutCommand,
  paginateScan,
} from '@aws-sdk/lib-dynamodb';
import { type Erasures, userHash } from './erasures.ts';

/** A run of `promo copy`. */
export interface CopyOptions {
  readonly documentClient: DynamoDBDocumentClient;
  /** The table that the deployment uses. */
  readonly from: string;
  /** The restored table. */
  readonly to: string;
  /** The time to which `to` was restored, in ISO 8601. */
  readonly since: string;
  /** False to count only. */
  readonly writes: boolean;
  /** Receives the number of items read or checked so far. */
  readonly onRead: (count: number) => void;
  readonly signal: AbortSignal;
}

/** Requests in flight at the same time. */
const BATCH = 25;

/**
 * Copies the promo events received since the restore point that the restored table lacks. Can be
 * repeated.
 *
 * @returns the number of events that were copied or, without `writes`, are as recent.
 */
export async function copyEvents(options: CopyOptions): Promise<number> {
  const { documentClient, to: TableName, writes } = options;
  const recent = itemsOf(options, options.from, {
    FilterExpression: 'receivedAt >= :since',
    ExpressionAttributeValues: { ':since': options.since },
  });
  return countInBatches(recent, async (Item) => {
    if (!writes) return true;
    // Of a table, the partition key alone says whether an item exists.
    const ConditionExpression = 'attribute_not_exists(clientId)';
    try {
      await documentClient.send(new PutCommand({ TableName, Item, ConditionExpression }));
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  });
}

/**
 * Removes from the restored table what belongs to users who were erased after it was received. Can
 * be repeated.
 *
 * @returns the number of events that were removed or, without `writes`, would be.
 */
export async function eraseAgain(erasures: Erasures, options: CopyOptions): Promise<number> {
  if (erasures.size === 0) return 0;
  const hashes = new Map<string, Promise<string>>();
  const { documentClient, to: TableName, writes } = options;
  return countInBatches(itemsOf(options, TableName), async (item) => {
    const { clientId, eventId, userId, receivedAt } = item as Readonly<Record<string, string>>;
    const ofClient = erasures.get(clientId ?? '');
    if (!ofClient || !clientId || !userId || !receivedAt) return false;
    const user = JSON.stringify([clientId, userId]);
    const hash = hashes.get(user) ?? userHash(clientId, userId);
    hashes.set(user, hash);
    const erasedAt = ofClient.get(await hash);
    if (erasedAt === undefined || receivedAt >= erasedAt) return false;
    if (writes) {
      await documentClient.send(new DeleteCommand({ TableName, Key: { clientId, eventId } }));
    }
    return true;
  });
}

async function* itemsOf(
  { documentClient, onRead, signal }: CopyOptions,
  TableName: string,
  filter: object = {},
): AsyncGenerator<Record<string, unknown>> {
  let read = 0;
  const pages = paginateScan(
    { client: documentClient },
    { TableName, ConsistentRead: true, ...filter },
  );
  for await (const { Items = [], ScannedCount = 0 } of pages) {
    signal.throwIfAborted();
    yield* Items;
    read += ScannedCount;
    onRead(read);
  }
}

/** Counts the items for which the work returns true. */
async function countInBatches<T>(
  items: AsyncIterable<T>,
  work: (item: T) => Promise<boolean>,
): Promise<number> {
  let count = 0;
  let batch: Promise<boolean>[] = [];
  const finish = async () => {
    for (const done of await Promise.all(batch)) if (done) count++;
    batch = [];
  };
  for await (const item of items) {
    batch.push(work(item));
    if (batch.length === BATCH) await finish();
  }
  await finish();
  return count;
}
