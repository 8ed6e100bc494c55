import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type { PromoEvent } from '../../../core/promo-events/promo-event.ts';
import { ServiceUnavailableError } from '../../../functions/api/errors.ts';

/** The two tables as all peers use them: with the SDK's document client, as its documentation shows. */
export const dynamodb = DynamoDBDocumentClient.from(new DynamoDBClient({}), {
  marshallOptions: { removeUndefinedValues: true },
});

/**
 * Reads a client's item.
 *
 * @throws ServiceUnavailableError
 */
export async function readConfigsItem(
  clientId: string,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const TableName = process.env.CONFIGS_TABLE_NAME;
  const { Item } = await dynamodb
    .send(new GetCommand({ TableName, Key: { clientId }, ConsistentRead: true }))
    .catch(unavailable);
  return Item;
}

/**
 * Writes a promo event once, as the service does.
 *
 * @throws ServiceUnavailableError
 */
export async function storePromoEvent(event: PromoEvent): Promise<'applied' | 'repeated'> {
  const TableName = process.env.PROMO_EVENTS_TABLE_NAME;
  const { clientId, ...attributes } = event;
  const applied = Object.entries({ ...attributes, kind: 'applied' }).filter(
    ([, value]) => value !== undefined,
  );
  const first = await dynamodb
    .send(
      new UpdateCommand({
        TableName,
        Key: { clientId, eventId: `${application(event)}#applied` },
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
    .catch(ifNotFailed);
  if (!first) return storePromoEvent({ ...event, promoCodeToken: undefined });
  if (first.Attributes?.requestDate === event.requestDate) return 'applied';
  await dynamodb
    .send(
      new PutCommand({
        TableName,
        Item: {
          ...event,
          kind: 'repeated',
          eventId: `${application(event)}#repeated#${event.requestDate}`,
        },
        ConditionExpression: 'attribute_not_exists(eventId)',
      }),
    )
    .catch(ifNotFailed);
  return 'repeated';
}

function application({ userId, promoCode }: PromoEvent): string {
  return `${encodeURIComponent(userId)}#${encodeURIComponent(promoCode)}`;
}

function ifNotFailed(error: unknown): undefined {
  if (error instanceof ConditionalCheckFailedException) return undefined;
  return unavailable(error);
}

function unavailable(cause: unknown): never {
  throw new ServiceUnavailableError({ cause });
}
