import {
  type DynamoDBClient,
  paginateQuery,
  type QueryCommandInput,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { readItem } from 'customer-data-api/clients';
import { comparableId, formsOf } from 'customer-data-api/configuration';
import {
  applicationPrefix,
  hasCode,
  identityWithoutCase,
  LISTED,
  type PromoEvent,
  userOf,
  userPrefix,
} from 'customer-data-api/promo-events';
import { csvLine } from '../csv.ts';
import { isSameText } from './same-text.ts';
import { otherSpellings } from './spellings.ts';
import type { ReceivedMessage, SqsQueue } from './sqs-queue.ts';

/** A listed event. An item that was edited manually may lack attributes. */
export type ListedPromoEvent = Readonly<Partial<Record<(typeof LISTED)[number], string>>>;

/** The PromoEvents table. */
export interface PromoEventsTableToList {
  readonly dynamodb: DynamoDBClient;
  readonly tableName: string;
}

/** The conditions of listed events; all must hold. */
export interface PromoEventFilter {
  readonly clientId: string;
  readonly userId?: string | undefined;
  /** Where the case of codes does not count, in any case. */
  readonly promoCode?: string | undefined;
  readonly deviceId?: string | undefined;
  /** Earliest time of receipt, in ISO 8601, UTC. */
  readonly since?: string | undefined;
  /** Only what it received before this time. */
  readonly until?: string | undefined;
}

/** What a read of promo events found in a page of the table. */
interface PromoEventPage {
  readonly events: readonly ListedPromoEvent[];
  /** Without a user: events with another code that is the same text. */
  readonly similar: readonly ListedPromoEvent[];
  /** The number of events that were read for it. */
  readonly read: number;
  /** The sort key after which the rest starts; undefined if there is no rest. */
  readonly after: string | undefined;
}

/** Lists the promo events that meet a filter, by user and code. */
export async function* listPromoEvents(
  table: PromoEventsTableToList,
  filter: PromoEventFilter,
): AsyncGenerator<ListedPromoEvent> {
  for await (const { events } of readPromoEvents(table, filter)) yield* events;
}

/**
 * Reads a client's promo events by user and code, page by page. With a user, it reads only theirs.
 * No index has codes, devices or times, because one popular code would throttle its writes: without
 * a user, it reads all events of the client, and the caller stops when that is enough.
 *
 * @param after continues an earlier read, without a user.
 */
export async function* readPromoEvents(
  table: PromoEventsTableToList,
  filter: PromoEventFilter,
  after?: string,
): AsyncGenerator<PromoEventPage> {
  for (const prefix of prefixesOf(filter)) yield* readPrefix(table, filter, prefix, after);
}

async function* readPrefix(
  { dynamodb: client, tableName }: PromoEventsTableToList,
  { clientId, userId, promoCode, deviceId, since, until }: PromoEventFilter,
  prefix: string | undefined,
  after: string | undefined,
): AsyncGenerator<PromoEventPage> {
  const filters = [
    ...(deviceId === undefined ? [] : ['#deviceId = :device']),
    ...(since === undefined ? [] : ['#receivedAt >= :since']),
    ...(until === undefined ? [] : ['#receivedAt < :until']),
  ];
  const values = {
    ':clientId': clientId,
    ':prefix': prefix,
    ':device': deviceId,
    ':since': since,
    ':until': until,
  };
  const input: QueryCommandInput = {
    TableName: tableName,
    KeyConditionExpression: `clientId = :clientId${prefix === undefined ? '' : ' AND begins_with(eventId, :prefix)'}`,
    ...(filters.length > 0 && { FilterExpression: filters.join(' AND ') }),
    // Policies require that a query names what it reads.
    Select: 'SPECIFIC_ATTRIBUTES',
    ProjectionExpression: LISTED.map((name) => `#${name}`).join(),
    ExpressionAttributeNames: Object.fromEntries(LISTED.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: marshall(values, { removeUndefinedValues: true }),
    ConsistentRead: true,
  };
  const startingToken = after === undefined ? undefined : marshall({ clientId, eventId: after });
  for await (const page of paginateQuery({ client, startingToken }, input)) {
    const { Items = [], ScannedCount = 0, LastEvaluatedKey } = page;
    const items = Items.map((item) => readItem(item) as ListedPromoEvent);
    const isExact = (event: ListedPromoEvent) =>
      promoCode === undefined || hasCode(event, promoCode);
    // Without a user, similar codes are found by the same read.
    const isSimilar = (event: ListedPromoEvent) =>
      userId === undefined && !isExact(event) && isSameText(event.promoCode, promoCode);
    yield {
      events: items.filter(isExact),
      similar: items.filter(isSimilar),
      read: ScannedCount,
      after: LastEvaluatedKey?.eventId?.S,
    };
  }
}

/** Returns the prefixes of the keys of a user, for each form of the id; without a user, none. */
function prefixesOf({ userId, promoCode }: PromoEventFilter): (string | undefined)[] {
  if (userId === undefined) return [undefined];
  const forms = formsOf(userId);
  if (promoCode === undefined) return forms.map(userPrefix);
  // Each event says whether the case of its code counts.
  const identities = new Set([promoCode, identityWithoutCase(promoCode)]);
  return forms.flatMap((form) =>
    [...identities].map((codeIdentity) =>
      applicationPrefix({ userId: form, promoCode, codeIdentity }),
    ),
  );
}

/** The events that a search returns: a client can have millions. */
const MAX_EVENTS = 1000;
/** The events that a search without a user reads: a second of the capacity of a partition. */
const MAX_READ = 25_000;

/**
 * How many codes were applied, and how many requests only repeated one. An event that was edited
 * manually can be neither.
 */
export interface Applications {
  readonly applied: number;
  readonly repeated: number;
}

/** What a search found in what it read. */
interface PromoEventSearch extends SimilarPromoEvents {
  /** The newest events that were found, newest first. */
  readonly events: readonly ListedPromoEvent[];
  readonly found: number;
  /** What it found by the beginning of an hour of this machine's clock. */
  readonly hours: Readonly<Record<string, Applications>>;
  /** What it found by code. */
  readonly codes: Readonly<Record<string, Applications>>;
  readonly read: number;
  /** Where to go on, and the last user that was read; undefined if everything was read. */
  readonly rest?: { readonly after: string; readonly user: string | undefined };
}

/**
 * Searches a client's promo events. With a user, it finds all of theirs; otherwise it reads a
 * bounded number, and says how far it came. If it finds none, it looks for similar ones.
 *
 * @param after continues an earlier search.
 */
export async function searchPromoEvents(
  table: PromoEventsTableToList,
  filter: PromoEventFilter,
  after?: string,
): Promise<PromoEventSearch> {
  const { userId } = filter;
  const events: ListedPromoEvent[] = [];
  const similar: ListedPromoEvent[] = [];
  const hours = new Map<string, Applications>();
  const codes = new Map<string, Applications>();
  let [found, read] = [0, 0];
  let last: string | undefined;
  for await (const page of readPromoEvents(table, filter, after)) {
    for (const event of page.events) {
      count(event, hours, hourOf(event.receivedAt));
      count(event, codes, event.promoCode);
    }
    found += page.events.length;
    read += page.read;
    keepNewest(events, page.events);
    keepNewest(similar, page.similar);
    last = page.after;
    if (userId === undefined && read >= MAX_READ) break;
  }
  const rest =
    userId === undefined && last !== undefined
      ? { rest: { after: last, user: userOf(last) } }
      : undefined;
  const near =
    found === 0 && userId !== undefined
      ? await findSimilar(table, { ...filter, userId })
      : { similar: found === 0 ? similar : [], others: 0 };
  return {
    events,
    found,
    hours: Object.fromEntries(hours),
    codes: Object.fromEntries(codes),
    read,
    ...near,
    ...rest,
  };
}

/** Adds events to a list, which keeps the newest of them. */
function keepNewest(list: ListedPromoEvent[], added: readonly ListedPromoEvent[]): void {
  const timeOf = ({ receivedAt = '' }: ListedPromoEvent) => receivedAt;
  list.push(...added);
  list.sort((one, other) => (timeOf(one) < timeOf(other) ? 1 : -1));
  list.splice(MAX_EVENTS);
}

/** Counts an event by a key, if it has one, and a kind that is counted. */
function count(
  { kind }: ListedPromoEvent,
  counts: Map<string, Applications>,
  key: string | undefined,
): void {
  if (key === undefined || (kind !== 'applied' && kind !== 'repeated')) return;
  const before = counts.get(key) ?? { applied: 0, repeated: 0 };
  counts.set(key, { ...before, [kind]: before[kind] + 1 });
}

/** Returns the beginning of the hour of a time; undefined if it is none. */
function hourOf(time = ''): string | undefined {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return undefined;
  date.setMinutes(0, 0, 0);
  return date.toISOString();
}

/** Events that a person may mean by a filter. */
interface SimilarPromoEvents {
  /** Events whose user or code is not that of the filter, but the same text. */
  readonly similar: readonly ListedPromoEvent[];
  /** The number of the user's other codes. */
  readonly others: number;
}

/**
 * Finds events that almost meet a filter with a user: with a similar code, or of a similar id.
 * DynamoDB finds an id in one spelling only, so likely spellings are tried.
 */
export async function findSimilar(
  table: PromoEventsTableToList,
  { promoCode, ...filter }: PromoEventFilter & { readonly userId: string },
): Promise<SimilarPromoEvents> {
  const isSameCode = (event: ListedPromoEvent) => isSameText(event.promoCode, promoCode);
  const own = await all(listPromoEvents(table, filter));
  const sameCode = own.filter(isSameCode);
  const similar = sameCode.filter((event) => promoCode !== undefined && !hasCode(event, promoCode));
  // Each spelling of a UUID finds its other forms, too.
  const read = new Set(formsOf(filter.userId));
  for (const userId of otherSpellings(filter.userId)) {
    if (read.has(userId)) continue;
    const events = await all(listPromoEvents(table, { ...filter, userId }));
    const isNew = (event: ListedPromoEvent) => !read.has(event.userId ?? userId);
    similar.push(...events.filter((event) => isNew(event) && isSameCode(event)));
    for (const form of formsOf(userId)) read.add(form);
  }
  const others = own.filter((event) => !isSameCode(event));
  const codes = new Set(others.map(({ promoCode, codeIdentity = promoCode }) => codeIdentity));
  return { similar, others: codes.size };
}

/** Tells how an event meets a filter: exactly, or as a similar one. */
export function matchOf(
  event: PromoEvent,
  { clientId, userId, promoCode, deviceId, since, until }: PromoEventFilter,
): 'exact' | 'similar' | undefined {
  if (event.clientId !== clientId) return undefined;
  if (deviceId !== undefined && event.deviceId !== deviceId) return undefined;
  if (since !== undefined && event.receivedAt < since) return undefined;
  if (until !== undefined && event.receivedAt >= until) return undefined;
  if (
    comparableId(userId ?? event.userId) === comparableId(event.userId) &&
    (promoCode === undefined || hasCode(event, promoCode))
  ) {
    return 'exact';
  }
  const isSimilar = isSameText(event.userId, userId) && isSameText(event.promoCode, promoCode);
  return isSimilar ? 'similar' : undefined;
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** More dead letters are not searched: SQS allows 120,000 messages in flight. */
const MAX_MESSAGES = 100_000;
/** Nothing waits for dead letters. */
const VISIBILITY_TIMEOUT_SECONDS = 600;

interface SearchOptions {
  /** True for the events to find. */
  readonly isWanted: (event: PromoEvent) => boolean;
  /** Receives the messages just found. After the visibility timeout, one is found again. */
  readonly onFound: (messages: readonly ReceivedMessage[]) => void;
  readonly onSearched: (count: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Searches the dead letters, and releases them at the end. Keeps none of their content. After an
 * error of the SQS client, messages may be hidden until the visibility timeout.
 *
 * @returns true if it reached the end of the queue.
 */
export async function searchDeadLetters(
  deadLetters: SqsQueue,
  { isWanted, onFound, onSearched, signal }: SearchOptions,
): Promise<boolean> {
  if ((await deadLetters.count()).waiting > MAX_MESSAGES) return false;
  let searched = 0;
  const { isComplete } = await deadLetters.visit(
    {
      visibilityTimeoutSeconds: VISIBILITY_TIMEOUT_SECONDS,
      maxStaying: MAX_MESSAGES + 1,
      signal,
    },
    async (batch) => {
      searched += batch.length;
      onSearched(searched);
      onFound(batch.filter(({ event }) => event && isWanted(event)));
      return [];
    },
  );
  return isComplete;
}

/** A promo event as it is printed. */
export interface PrintedPromoEvent extends ListedPromoEvent {
  /** Only if its user or code is only similar to what was asked for. */
  readonly similar?: true;
}

/** Lines of CSV (RFC 4180): a header row, and the events in the order of time. */
export function csvOf(events: readonly PrintedPromoEvent[]): string[] {
  const timeOf = ({ receivedAt = '' }: PrintedPromoEvent) => receivedAt;
  const lines = events
    .toSorted((a, b) => (timeOf(a) < timeOf(b) ? -1 : 1))
    .map(({ similar = '', ...event }) => [
      localTime(event.receivedAt),
      ...LISTED.map((name) => event[name] ?? ''),
      String(similar),
    ])
    .map(csvLine);
  return [['localTime', ...LISTED, 'similar'].join(), ...lines];
}

/** A time in the time zone of this machine, as spreadsheets read it: `2026-11-21 10:30:00`. */
function localTime(time = ''): string {
  const date = new Date(time);
  // The Swedish form is ISO 8601 with a space.
  return Number.isNaN(date.getTime()) ? '' : date.toLocaleString('sv-SE');
}
