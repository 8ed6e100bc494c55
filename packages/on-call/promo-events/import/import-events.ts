import { setTimeout } from 'node:timers/promises';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { comparableId } from 'customer-data-api/configuration';
import {
  appliedEventId,
  appliedItem,
  type ErasuresTable,
  FUNCTION_TIMEOUT_SECONDS,
  type PromoEvent,
  type Retention,
  readMarkers,
  UnreadableMarker,
  userHash,
} from 'customer-data-api/promo-events';
import { batchesOf, putOnce } from '../copy.ts';
import { eraseNow } from '../erase.ts';
import { isSameUser } from '../same-user-or-code.ts';
import { type PromoEventsTable, storedSpellings } from '../stored-spellings.ts';
import { promoError } from '../words.ts';

/** A run of `promo import`, for one client. */
export interface ImportRun extends Retention {
  readonly clientId: string;
  readonly table: PromoEventsTable;
  readonly erasures: ErasuresTable;
  /** The time of AWS. */
  readonly now: Date;
  /** The most items written in a second. */
  readonly rate: number;
  /** False to count only. */
  readonly writes: boolean;
  /** Receives the number of rows that are done. */
  readonly onDone: (count: number) => void;
  readonly signal: AbortSignal;
}

/** Numbers of rows; without `writes`, of what would become of them. */
export interface Counts {
  imported: number;
  /** The customer has the code already. */
  there: number;
  /** Their users were erased after the date of the row. */
  erased: number;
  /** Older than `promoEventRetentionDays`. */
  expired: number;
}

type Markers = Awaited<ReturnType<typeof readMarkers>>;

/** The most rows in flight at the same time. */
const BATCH = 25;
/** The timeout of functions: an erasure searches the table again after it. */
const TIMEOUT_SECONDS = FUNCTION_TIMEOUT_SECONDS;

/**
 * Writes events as the service would have, once, however often it is repeated. Markers of erasures
 * are read before and after each batch: an erasure that looked for the user in between has not seen
 * what was written after it. So that is removed, and what an earlier run has left.
 *
 * @param counts counts what was done, also if it fails or is interrupted.
 * @param capitals gets the UUIDs with letters in upper case of which nothing is stored.
 */
export async function importEvents(
  run: ImportRun,
  events: readonly PromoEvent[],
  counts: Counts,
  capitals = new Set<string>(),
): Promise<void> {
  let done = 0;
  for (const batch of batchesOf(events, Math.min(BATCH, run.rate))) {
    run.signal.throwIfAborted();
    const start = performance.now();
    const before = counts.imported;
    await importBatch(run, batch, counts, capitals);
    done += batch.length;
    run.onDone(done);
    const shortestMs = run.writes ? ((counts.imported - before) * 1000) / run.rate : 0;
    const pauseMs = Math.max(0, start + shortestMs - performance.now());
    await setTimeout(pauseMs, undefined, { signal: run.signal }).catch(() => {});
  }
}

async function importBatch(
  run: ImportRun,
  batch: readonly PromoEvent[],
  counts: Counts,
  capitals: Set<string>,
): Promise<void> {
  const timeout = AbortSignal.timeout(TIMEOUT_SECONDS * 1000);
  const hashes = new Map<string, Promise<string>>();
  const erasureOf = async (markers: Markers, { userId, receivedAt }: PromoEvent) => {
    if (markers.size === 0) return undefined;
    const hash = hashes.get(userId) ?? userHash(run.clientId, userId);
    hashes.set(userId, hash);
    const erasedAt = markers.get(await hash);
    return erasedAt !== undefined && receivedAt < erasedAt ? erasedAt : undefined;
  };
  const before = await readableMarkers(run);
  const results = await Promise.allSettled(
    batch.map(async (event) =>
      (await erasureOf(before, event)) ? 'erased' : importOnce(run, event, capitals, timeout),
    ),
  );
  const after = run.writes ? await readableMarkers(run) : before;
  for (const [index, event] of batch.entries()) {
    const result = results[index];
    const erasedAt = await erasureOf(after, event);
    if (erasedAt !== undefined && run.writes) await eraseNow(run.table, event, erasedAt);
    if (erasedAt !== undefined) counts.erased++;
    else if (result?.status === 'fulfilled') counts[result.value]++;
  }
  const failed = results.find((result) => result.status === 'rejected');
  if (failed && timeout.aborted) throw promoError('importTimedOut', { seconds: TIMEOUT_SECONDS });
  if (failed) throw failed.reason;
}

/** Reads the markers of the client. Throws if one cannot tell what is erased. */
async function readableMarkers({ erasures, clientId, now }: ImportRun): Promise<Markers> {
  const markers = await readMarkers(erasures, clientId, now);
  for (const [user, erasedAt] of markers) {
    if (erasedAt === undefined) throw new UnreadableMarker(clientId, user);
  }
  return markers;
}

/** Imports an event, unless its user has the code. A user who is stored keeps that spelling. */
async function importOnce(
  run: ImportRun,
  event: PromoEvent,
  capitals: Set<string>,
  abortSignal: AbortSignal,
): Promise<keyof Counts> {
  const { table, now, writes } = run;
  const { expiresAt = Infinity } = appliedItem(run, event).optional;
  if (expiresAt * 1000 <= now.getTime()) return 'expired';
  // Before the look-up, which takes tens of queries: an import that goes on finds most codes there.
  if (await isStored(table, event)) return 'there';
  const alike = await storedSpellings(table, event);
  const stored = alike.filter((userId) => isSameUser(event.userId, userId));
  for (const userId of stored) {
    if (userId !== event.userId && (await isStored(table, { ...event, userId }))) return 'there';
  }
  const isUpper = comparableId(event.userId) !== event.userId;
  if (isUpper && stored.length === 0) capitals.add(event.userId);
  if (!writes) return 'imported';
  const isOwn = stored.length === 0 || stored.includes(event.userId);
  const userId = isOwn ? event.userId : (stored[0] ?? '');
  const { Key, always, optional } = appliedItem(run, { ...event, userId });
  const item = { ...Key, ...always, ...optional, importedAt: now.toISOString() };
  const { documentClient, tableName } = table;
  return (await putOnce(documentClient, tableName, item, abortSignal)) ? 'imported' : 'there';
}

async function isStored(
  { documentClient, tableName: TableName }: PromoEventsTable,
  event: PromoEvent,
): Promise<boolean> {
  const Key = { clientId: event.clientId, eventId: appliedEventId(event) };
  const ProjectionExpression = 'eventId';
  const read = new GetCommand({ TableName, Key, ConsistentRead: true, ProjectionExpression });
  return (await documentClient.send(read)).Item !== undefined;
}
