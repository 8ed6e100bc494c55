import { BatchWriteCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import { type Environment, USER_PREFIX } from './environment.ts';

/** DynamoDB's maximum for one batch. */
const BATCH_SIZE = 25;
const CONCURRENT_BATCHES = 8;

/** An item of the PromoEvents table, of a user who sends none of the events that are measured. */
export function promoEventItem(clientId: string, number: number) {
  const userId = `shopper-${number}`;
  return {
    clientId,
    eventId: `${userId}#WELCOME10#applied`,
    kind: 'applied',
    userId,
    promoCode: 'WELCOME10',
    eventType: 'promo_applied',
    source: 'profile',
    deviceId: '38400000-8cf0-11bd-b23e-10b96e40000d',
    requestDate: '2026-11-20T09:30:00.000Z',
    receivedAt: '2026-11-20T09:30:00.412Z',
  };
}

/** Stores promo events of a client. */
export async function storePromoEvents(
  { documentClient, outputs }: Environment,
  clientId: string,
  count: number,
): Promise<void> {
  let next = 0;
  const storeBatches = async () => {
    while (next < count) {
      const start = next;
      next += BATCH_SIZE;
      const requests = Array.from({ length: Math.min(BATCH_SIZE, count - start) }, (_, index) => ({
        PutRequest: { Item: promoEventItem(clientId, start + index) },
      }));
      await documentClient.send(
        new BatchWriteCommand({ RequestItems: { [outputs.PromoEventsTableName]: requests } }),
      );
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_BATCHES }, storeBatches));
}

/**
 * Erases the promo events that calls have added to a client, and keeps those of `storePromoEvents`.
 */
export async function erasePromoEventsOfCalls(
  { documentClient, outputs }: Environment,
  clientId: string,
): Promise<void> {
  const TableName = outputs.PromoEventsTableName;
  const pages = paginateQuery(
    { client: documentClient, pageSize: BATCH_SIZE },
    {
      TableName,
      KeyConditionExpression: 'clientId = :clientId AND begins_with(eventId, :user)',
      ExpressionAttributeValues: { ':clientId': clientId, ':user': USER_PREFIX },
      ProjectionExpression: 'clientId, eventId',
    },
  );
  for await (const { Items = [] } of pages) {
    const requests = Items.map((Key) => ({ DeleteRequest: { Key } }));
    if (requests.length > 0) {
      await documentClient.send(new BatchWriteCommand({ RequestItems: { [TableName]: requests } }));
    }
  }
}
