import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import type { PromoEvent } from '../../core/promo-events/promo-event.ts';

/** A promo event of a user, as the service stores it. */
export function eventOf(userId: string, others: Partial<PromoEvent> = {}): PromoEvent {
  return {
    clientId: 'demo',
    userId,
    promoCode: 'CODE',
    eventType: 'promo_applied',
    source: 'profile',
    deviceId: 'device',
    requestDate: '2026-11-20T09:30:00.000Z',
    receivedAt: '2026-11-20T09:30:00.412Z',
    ...others,
  };
}

// biome-ignore lint/suspicious/noExplicitAny: as the SDK types the attributes of an item
type Stored = Record<string, any>;

/** The items of a client in a table of promo events. */
export async function itemsIn(
  TableName: string,
  client: DynamoDBDocumentClient,
  clientId = 'demo',
): Promise<Stored[]> {
  const query = {
    TableName,
    KeyConditionExpression: 'clientId = :clientId',
    ExpressionAttributeValues: { ':clientId': clientId },
  };
  const items: Stored[] = [];
  for await (const { Items = [] } of paginateQuery({ client }, query)) items.push(...Items);
  return items;
}
