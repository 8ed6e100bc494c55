import {
  type DynamoDBClient,
  paginateQuery,
  type QueryCommandInput,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { readItem } from 'customer-data-api/clients';
import { formsOf } from 'customer-data-api/configuration';
import { applicationPrefix, LISTED, userPrefix } from 'customer-data-api/promo-events';

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
  /** Earliest time of receipt, in ISO 8601, UTC. */
  readonly since?: string | undefined;
  /** Only what it received before this time. */
  readonly until?: string | undefined;
}

/** Lists a client's promo events by user and code, page by page. With a user, reads only theirs. */
export async function* listPromoEvents(
  table: PromoEventsTableToList,
  filter: PromoEventFilter,
): AsyncGenerator<ListedPromoEvent> {
  const { userId } = filter;
  for (const form of userId === undefined ? [undefined] : formsOf(userId)) {
    yield* listForm(table, { ...filter, userId: form });
  }
}

async function* listForm(
  { dynamodb, tableName }: PromoEventsTableToList,
  { clientId, userId, promoCode, since, until }: PromoEventFilter,
): AsyncGenerator<ListedPromoEvent> {
  const prefix = prefixOf(userId, promoCode);
  // With a user, the prefix has the code.
  const code = userId === undefined ? promoCode : undefined;
  const filters = [
    ...(code === undefined ? [] : ['#promoCode = :code']),
    ...(since === undefined ? [] : ['#receivedAt >= :since']),
    ...(until === undefined ? [] : ['#receivedAt < :until']),
  ];
  const values = {
    ':clientId': clientId,
    ':prefix': prefix,
    ':code': code,
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
  for await (const { Items = [] } of paginateQuery({ client: dynamodb }, input)) {
    for (const item of Items) yield readItem(item) as ListedPromoEvent;
  }
}

function prefixOf(userId?: string, promoCode?: string): string | undefined {
  if (userId === undefined) return undefined;
  return promoCode === undefined ? userPrefix(userId) : applicationPrefix({ userId, promoCode });
}
