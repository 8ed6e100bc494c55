import {
  type DynamoDBClient,
  paginateQuery,
  type QueryCommandInput,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { readItem } from 'customer-data-api/clients';
import { formsOf } from 'customer-data-api/configuration';
import { applicationPrefix, LISTED, userPrefix } from 'customer-data-api/promo-events';
import { isSameText } from './same-text.ts';

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
  /** Without a user: events whose code differs in case, spaces or invisibles only. */
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
  const { userId } = filter;
  for (const form of userId === undefined ? [undefined] : formsOf(userId)) {
    yield* readForm(table, { ...filter, userId: form }, after);
  }
}

async function* readForm(
  { dynamodb: client, tableName }: PromoEventsTableToList,
  { clientId, userId, promoCode, deviceId, since, until }: PromoEventFilter,
  after: string | undefined,
): AsyncGenerator<PromoEventPage> {
  const prefix = prefixOf(userId, promoCode);
  // With a user, the prefix has the code. Without one, similar codes are found by the same read.
  const code = userId === undefined ? promoCode : undefined;
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
    const isExact = (event: ListedPromoEvent) => code === undefined || event.promoCode === code;
    yield {
      events: items.filter(isExact),
      similar: items.filter((one) => !isExact(one) && isSameText(one.promoCode, code)),
      read: ScannedCount,
      after: LastEvaluatedKey?.eventId?.S,
    };
  }
}

function prefixOf(userId?: string, promoCode?: string): string | undefined {
  if (userId === undefined) return undefined;
  return promoCode === undefined ? userPrefix(userId) : applicationPrefix({ userId, promoCode });
}
