import {
  type DynamoDBClient,
  paginateQuery,
  type QueryCommandInput,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { readItem } from 'customer-data-api/clients';
import { comparableId } from 'customer-data-api/configuration';
import { LISTED, userOf, userPrefix } from 'customer-data-api/promo-events';
import { type Outputs, storesDeviceIds } from 'customer-data-api-deployment/outputs';
import { printable } from 'customer-data-api-deployment/program';
import { newestEvents, newestFirst } from './newest-events.ts';
import { escapedId, isSameCode } from './same-user-or-code.ts';
import { storedSpellings } from './stored-spellings.ts';
import { promoError } from './words.ts';

/** A listed event. An item that was edited manually may lack attributes. */
export type ListedPromoEvent = Readonly<Partial<Record<(typeof LISTED)[number], string>>>;

/** Returns what is listed of an event. A device that is not stored is an empty text. */
export function listedEvent(event: Readonly<Record<string, unknown>>): ListedPromoEvent {
  const isListed = (name: string) => event[name] !== undefined && event[name] !== '';
  return Object.fromEntries(LISTED.filter(isListed).map((name) => [name, event[name]]));
}

/** Refuses to search a deployment for a device, unless it says that it stores device ids. */
export function expectSearchable(outputs: Outputs, { deviceId }: PromoEventFilter): void {
  if (deviceId === undefined || storesDeviceIds(outputs)) return;
  throw promoError('deviceNotStored', {});
}

/** The PromoEvents table. */
export interface PromoEventsTableToList {
  readonly dynamodb: DynamoDBClient;
  readonly tableName: string;
}

/** The conditions of listed events; all must hold. */
export interface PromoEventFilter {
  readonly clientId: string;
  readonly userId?: string | undefined;
  readonly promoCode?: string | undefined;
  readonly deviceId?: string | undefined;
  /** Earliest time of receipt, in ISO 8601, UTC. */
  readonly since?: string | undefined;
  /** Only what it received before this time. */
  readonly until?: string | undefined;
}

/**
 * The number of codes that were applied, and of requests that only repeated one. An event that was
 * edited manually can be neither.
 */
export interface Applications {
  readonly applied: number;
  readonly repeated: number;
}

/** The result of a read of promo events in a page of the table. */
interface PromoEventPage extends Applications {
  readonly events: readonly ListedPromoEvent[];
  /** The user of the events, if one was asked for: one whose id looks alike is another user. */
  readonly user: string | undefined;
  /** The events of the user, if one was asked for, with another code than the one asked for. */
  readonly others: readonly ListedPromoEvent[];
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
 * Reads a client's promo events by user and code, page by page. With a user, it reads only theirs,
 * and those of users whose ids look alike.
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
  const { clientId, userId } = filter;
  const { dynamodb, tableName } = table;
  const documentClient = DynamoDBDocumentClient.from(dynamodb);
  const spellings =
    userId === undefined
      ? [undefined]
      : await storedSpellings({ documentClient, tableName }, { clientId, userId });
  for (const spelling of spellings) yield* readSpelling(table, filter, spelling, after);
}

async function* readSpelling(
  { dynamodb: client, tableName }: PromoEventsTableToList,
  { clientId, promoCode, deviceId, since, until }: PromoEventFilter,
  spelling: string | undefined,
  after: string | undefined,
): AsyncGenerator<PromoEventPage> {
  const filters = [
    ...(deviceId === undefined ? [] : ['#deviceId = :device']),
    ...(since === undefined ? [] : ['#receivedAt >= :since']),
    ...(until === undefined ? [] : ['#receivedAt < :until']),
  ];
  const values = {
    ':clientId': clientId,
    ':prefix': spelling === undefined ? undefined : userPrefix(spelling),
    ':device': deviceId,
    ':since': since,
    ':until': until,
  };
  const input: QueryCommandInput = {
    TableName: tableName,
    KeyConditionExpression: `clientId = :clientId${spelling === undefined ? '' : ' AND begins_with(eventId, :prefix)'}`,
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
    const listed = Items.map((item) => listedEvent(readItem(item)));
    const isFound = ({ promoCode: code = '' }: ListedPromoEvent) =>
      promoCode === undefined || isSameCode(promoCode, code);
    const events = listed.filter(isFound);
    const countOf = (kind: string) => events.filter((event) => event.kind === kind).length;
    yield {
      events,
      others: spelling === undefined ? [] : listed.filter((event) => !isFound(event)),
      user: events.length === 0 || spelling === undefined ? undefined : comparableId(spelling),
      applied: countOf('applied'),
      repeated: countOf('repeated'),
      read: ScannedCount,
      after: LastEvaluatedKey?.eventId?.S,
    };
  }
}

/** The events that a search without a user reads: a second of the capacity of a partition. */
const MAX_READ = 25_000;

/** The most codes of a user that are named instead of one that was not found. */
const MAX_CODES = 10;

/** The result of a search. */
interface PromoEventSearch extends Applications {
  /** The newest events that were found, newest first. */
  readonly events: readonly ListedPromoEvent[];
  readonly found: number;
  /** The number of users that were found, if one was asked for. */
  readonly users: number;
  /** The newest other codes of the user, as they are shown, if nothing was found with a code. */
  readonly otherCodes: readonly string[];
  readonly read: number;
  /** The place to go on, and the last user that was read; undefined if everything was read. */
  readonly rest?: { readonly after: string; readonly user: string | undefined };
}

/**
 * Searches a client's promo events. With a user, it finds all of theirs; otherwise it reads a
 * bounded number, and says how far it came.
 *
 * @param after continues an earlier search.
 */
export async function searchPromoEvents(
  table: PromoEventsTableToList,
  filter: PromoEventFilter,
  after?: string,
): Promise<PromoEventSearch> {
  const { userId } = filter;
  let events: readonly ListedPromoEvent[] = [];
  const users = new Set<string>();
  let others: readonly ListedPromoEvent[] = [];
  let [found, applied, repeated, read] = [0, 0, 0, 0];
  let last: string | undefined;
  for await (const page of readPromoEvents(table, filter, after)) {
    found += page.events.length;
    if (page.user !== undefined) users.add(page.user);
    others = newestCodes([...others, ...page.others]);
    applied += page.applied;
    repeated += page.repeated;
    read += page.read;
    events = newestEvents([...events, ...page.events]);
    last = page.after;
    if (userId === undefined && read >= MAX_READ) break;
  }
  const rest =
    userId === undefined && last !== undefined
      ? { rest: { after: last, user: userOf(last) } }
      : undefined;
  const otherCodes = found === 0 ? others.map(shownCode) : [];
  const counts = { found, users: users.size, otherCodes, applied, repeated };
  return { events, ...counts, read, ...rest };
}

/** Returns the newest event of each of the newest codes. */
export function newestCodes(events: readonly ListedPromoEvent[]): ListedPromoEvent[] {
  const ofCodes = Map.groupBy(newestFirst(events), ({ promoCode }) => promoCode);
  return [...ofCodes.values()].flatMap(([newest]) => newest ?? []).slice(0, MAX_CODES);
}

/** Writes the code of an event so that letters that look alike, or that nobody sees, differ. */
export function shownCode({ promoCode = '' }: ListedPromoEvent): string {
  const isPlain = /^[ -~]*$/.test(promoCode);
  return isPlain ? promoCode : `${printable(promoCode)} (${escapedId(promoCode)})`;
}
