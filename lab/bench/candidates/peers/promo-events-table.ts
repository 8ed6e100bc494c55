import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { PromoEvent } from '../../../../core/promo-events/promo-event.ts';
import { documentClient, throwUnavailable } from './document-client.ts';

/**
 * Stores a promo event once, with the same keys and conditions as the service.
 *
 * @throws ServiceUnavailableError
 */
export async function storePromoEvent(event: PromoEvent): Promise<'applied' | 'repeated'> {
  const TableName = process.env.PROMO_EVENTS_TABLE_NAME;
  const { clientId, ...attributes } = event;
  const applied = Object.entries({ ...attributes, kind: 'applied' }).filter(
    ([, value]) => value !== undefined,
  );
  const first = await documentClient
    .send(
      new UpdateCommand({
        TableName,
        Key: { clientId, eventId: `${userAndCode(event)}#applied` },
        UpdateExpression: `SET ${applied.map(([name]) => `#${name} = if_not_exists(#${name}, :${name})`).join(', ')}`,
        ...(event.promoCodeToken && {
          ConditionExpression: 'attribute_not_exists(eventId) OR attribute_exists(#promoCodeToken)',
        }),
        ExpressionAttributeNames: Object.fromEntries(applied.map(([name]) => [`#${name}`, name])),
        ExpressionAttributeValues: Object.fromEntries(
          applied.map(([name, value]) => [`:${name}`, value]),
        ),
        ReturnValues: 'ALL_NEW',
      }),
    )
    .catch(undefinedIfConditionFailed);
  if (!first) return storePromoEvent({ ...event, promoCodeToken: undefined });
  if (first.Attributes?.requestDate === event.requestDate) return 'applied';
  await documentClient
    .send(
      new PutCommand({
        TableName,
        Item: {
          ...event,
          kind: 'repeated',
          eventId: `${userAndCode(event)}#repeated#${event.requestDate}`,
        },
        ConditionExpression: 'attribute_not_exists(eventId)',
      }),
    )
    .catch(undefinedIfConditionFailed);
  return 'repeated';
}

function userAndCode({ userId, promoCode }: PromoEvent): string {
  return `${encodeURIComponent(userId)}#${encodeURIComponent(promoCode)}`;
}

function undefinedIfConditionFailed(error: unknown): undefined {
  if (error instanceof ConditionalCheckFailedException) return undefined;
  return throwUnavailable(error);
}
