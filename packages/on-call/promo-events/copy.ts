import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  ConditionalCheckFailedException,
  ResourceNotFoundException,
} from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DeleteCommand,
  type DynamoDBDocumentClient,
  PutCommand,
  paginateScan,
} from '@aws-sdk/lib-dynamodb';
import {
  erasureLookup,
  type IsErased,
  type PromoEvent,
  repeatedEventId,
} from 'customer-data-api/promo-events';
import { documentClient } from 'customer-data-api-deployment';
import type { Change, CommandContext, Done, Shown } from 'customer-data-api-deployment/change';
import { awsTime } from './aws-time.ts';
import { throwForOperator } from './erase.ts';
import { promoError } from './words.ts';

/** A run of `promo copy`. */
interface CopyOptions {
  readonly documentClient: DynamoDBDocumentClient;
  /** The table that the deployment uses. */
  readonly from: string;
  /** The restored table. */
  readonly to: string;
  /** The table of erasures. */
  readonly erasures: string;
  /** False to count only. */
  readonly writes: boolean;
  /** Receives the number of items read so far in a table. */
  readonly onRead: (count: number) => void;
  readonly signal: AbortSignal;
}

/** Numbers of promo events; without `writes`, of those that would be copied or removed. */
interface Counts {
  copied: number;
  /** Removed from the restored table, because their users are erased. */
  erased: number;
  /** Removed from the restored table, because they have expired. */
  expired: number;
  /** Copied only at the second look: the table is still written to. */
  late: number;
}
export type Copied = Readonly<Counts>;

const NONE: Copied = { copied: 0, erased: 0, expired: 0, late: 0 };

/** An item of a table of promo events. One that was edited by hand may lack attributes. */
type Item = Readonly<Partial<Record<string, unknown>>> & {
  readonly clientId: string;
  readonly eventId: string;
};

/** Tells what must not come back. */
interface Ends {
  readonly isExpired: (item: Item) => boolean;
  readonly isErased: IsErased;
}

/** The most keys that BatchGetItem takes. */
const READ_BATCH = 100;
/** Writes in flight at the same time. */
const WRITE_BATCH = 25;
/** The pause before DynamoDB is asked again for what it did not return in a batch. */
const PAUSE_MS = 200;

/** The effect of a copy. */
interface ShownCopy extends Shown {
  /** The table that the deployment uses. */
  readonly from: string;
  /** The numbers of a dry run. Otherwise all are 0: a large table is read once. */
  readonly copied: Copied;
}

/**
 * Brings a restored table up to date before it is used.
 *
 * @param to its name.
 */
export function promoEventsCopy(to: string): Change<ShownCopy, Copied & Done, CommandContext> {
  return {
    isUnsigned: true,
    async show(context) {
      const from = context.deployment.outputs.PromoEventsTableName;
      if (to === from) throw promoError('tableInUse', { table: to });
      const copied = { ...NONE };
      if (context.isDryRun) await copy(context, to, false, copied);
      return { from, copied };
    },
    async apply(context) {
      const copied = { ...NONE };
      try {
        await copy(context, to, true, copied);
      } catch (failure) {
        if (isDeepStrictEqual(copied, NONE)) throw failure;
        return { ...copied, failure };
      }
      if (copied.late === 0) return copied;
      return { ...copied, failure: promoError('stillWritten', { late: copied.late }) };
    },
  };
}

async function copy(
  { deployment: { outputs }, onCount: onRead, signal }: CommandContext,
  to: string,
  writes: boolean,
  counts: Counts,
): Promise<void> {
  using documents = documentClient(outputs);
  const { ErasuresTableName: erasures, PromoEventsTableName: from } = outputs;
  const places = { documentClient: documents, from, to, erasures };
  try {
    await copyEvents({ ...places, writes, onRead, signal }, counts);
  } catch (error) {
    if (!(error instanceof ResourceNotFoundException)) throwForOperator(error);
    throw promoError('noSuchTable', { table: to, region: outputs.Region });
  }
}

/**
 * Brings a restored table up to date: removes what must not come back, then copies what the table
 * lacks. When an event was received says nothing: it may have waited in a queue for weeks before it
 * was stored. Can be repeated.
 *
 * @param counts counts what was done, also if it fails or is interrupted.
 */
export async function copyEvents(options: CopyOptions, counts: Counts): Promise<void> {
  const ends = await readEnds(options);
  // First: a code that a user applied again after the erasure has the key of the erased item.
  await removeEnded(options, ends, counts);
  await copyLacking(options, ends, () => counts.copied++);
  if (options.writes) await copyLacking(options, ends, () => counts.late++);
}

async function readEnds({ documentClient, to, erasures }: CopyOptions): Promise<Ends> {
  const now = await awsTime(documentClient, to);
  const seconds = now.getTime() / 1000;
  return {
    isExpired: ({ expiresAt }) => typeof expiresAt === 'number' && expiresAt <= seconds,
    isErased: erasureLookup({ documentClient, tableName: erasures }, now),
  };
}

async function removeEnded(
  options: CopyOptions,
  { isExpired, isErased }: Ends,
  counts: Counts,
): Promise<void> {
  const { documentClient, to: TableName, writes } = options;
  const remove = async (item: Item) => {
    const end = isExpired(item) ? 'expired' : (await isErased(item)) ? 'erased' : undefined;
    if (end === undefined) return;
    if (writes) await documentClient.send(new DeleteCommand({ TableName, Key: itemKey(item) }));
    counts[end]++;
  };
  for await (const page of pagesOf(options, TableName)) {
    for (const batch of batchesOf(page, WRITE_BATCH)) await Promise.all(batch.map(remove));
  }
}

/**
 * Copies what the restored table lacks and has not expired. What an erasure has left is copied,
 * too: a request that was sent again after the erasure may be the one that it left.
 */
async function copyLacking(options: CopyOptions, ends: Ends, onCopied: () => void): Promise<void> {
  for await (const page of pagesOf(options, options.from)) {
    const kept = page.filter((item) => !ends.isExpired(item));
    const batches = batchesOf(kept, READ_BATCH);
    const lacking = await Promise.all(batches.map((batch) => lackingOf(options, ends, batch)));
    for (const batch of batchesOf(lacking.flat(), WRITE_BATCH)) {
      await Promise.all(
        batch.map(async (item) => {
          const { documentClient, to, writes } = options;
          if (!writes || (await putOnce(documentClient, to, item))) onCopied();
        }),
      );
    }
  }
}

/**
 * Returns the items that the restored table lacks. If it has the application of another request,
 * which somebody has deleted since the restore point, the later one becomes a repetition.
 */
async function lackingOf(
  options: CopyOptions,
  ends: Ends,
  items: readonly Item[],
): Promise<Item[]> {
  const restored = await readItems(options, items);
  const lacking: Item[] = [];
  const later: Item[] = [];
  for (const item of items) {
    const same = restored.get(itemName(item));
    // Without `writes`, what is to be removed is still there.
    if (!same || ends.isExpired(same) || (await ends.isErased(same))) lacking.push(item);
    else if (item.kind === 'applied' && same.requestDate !== item.requestDate) {
      const eventId = repeatedEventId(item as Item & PromoEvent);
      later.push({ ...item, kind: 'repeated', eventId });
    }
  }
  return later.length > 0 ? [...lacking, ...(await lackingOf(options, ends, later))] : lacking;
}

/** Reads from the restored table the items that have the keys of others. */
async function readItems(
  { documentClient, to, signal }: CopyOptions,
  items: readonly Item[],
): Promise<ReadonlyMap<string, Item>> {
  const found = new Map<string, Item>();
  let Keys: readonly Item[] | undefined = items.map(itemKey);
  for (;;) {
    const read = new BatchGetCommand({
      RequestItems: {
        [to]: {
          Keys: [...Keys],
          ConsistentRead: true,
          ProjectionExpression: 'clientId, eventId, userId, receivedAt, requestDate, expiresAt',
        },
      },
    });
    const { Responses = {}, UnprocessedKeys = {} } = await documentClient.send(read);
    for (const item of (Responses[to] ?? []) as Item[]) found.set(itemName(item), item);
    Keys = UnprocessedKeys[to]?.Keys as Item[] | undefined;
    if (!Keys) return found;
    await setTimeout(PAUSE_MS, undefined, { signal });
  }
}

/** Writes an item, unless its key was taken in the meantime. Returns true if it was written. */
export async function putOnce(
  documentClient: DynamoDBDocumentClient,
  TableName: string,
  Item: Item,
  abortSignal?: AbortSignal,
): Promise<boolean> {
  // The partition key alone says whether an item exists.
  const ConditionExpression = 'attribute_not_exists(clientId)';
  try {
    const put = new PutCommand({ TableName, Item, ConditionExpression });
    await documentClient.send(put, { ...(abortSignal && { abortSignal }) });
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

async function* pagesOf(
  { documentClient, onRead, signal }: CopyOptions,
  TableName: string,
): AsyncGenerator<readonly Item[]> {
  let read = 0;
  const pages = paginateScan({ client: documentClient }, { TableName, ConsistentRead: true });
  for await (const { Items = [] } of pages) {
    signal.throwIfAborted();
    yield Items as Item[];
    read += Items.length;
    onRead(read);
  }
}

function itemKey({ clientId, eventId }: Item) {
  return { clientId, eventId };
}

function itemName({ clientId, eventId }: Item): string {
  return JSON.stringify([clientId, eventId]);
}

export function batchesOf<T>(items: readonly T[], size: number): T[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
}
