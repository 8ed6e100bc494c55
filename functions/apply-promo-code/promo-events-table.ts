import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { available, dynamodb } from '../http/dynamodb.ts';
import { environment } from '../http/environment.ts';
import { appliedEventId, type PromoEvent, repeatedEventId } from './promo-event.ts';

const TableName = environment('PROMO_EVENTS_TABLE_NAME');

/**
 * Keeps a promo event, once however often and in whatever order it arrives: the first request for a code and a user is
 * the application, each request with another `requestDate` is a repetition of it.
 *
 * @returns what the event is in the table.
 * @throws ServiceUnavailableError when DynamoDB failed; what was written then stays, and sending the event again
 *   completes it.
 */
export function keepPromoEvent(event: PromoEvent): Promise<'applied' | 'repeated'> {
  return available(keepOnce(event));
}

async function keepOnce(event: PromoEvent): Promise<'applied' | 'repeated'> {
  const appliedRequestDate = await applyOnce(event);
  if (appliedRequestDate === event.requestDate) return 'applied';
  await keepRepeated(event);
  return 'repeated';
}

/**
 * Writes the application unless there is one, in one call without a read. An update that changes nothing makes no
 * stream record, so followers of the stream hear of an application once.
 *
 * @returns the `requestDate` of the request that made the application.
 */
async function applyOnce(event: PromoEvent): Promise<string> {
  const { clientId, promoCodeToken, ...required } = event;
  const attributes = Object.entries({ ...required, ...(promoCodeToken && { promoCodeToken }) });
  try {
    const { Attributes } = await dynamodb.send(
      new UpdateCommand({
        TableName,
        Key: { clientId, eventId: appliedEventId(event) },
        UpdateExpression: `SET ${attributes
          .map(([name]) => `#${name} = if_not_exists(#${name}, :${name})`)
          .join(', ')}`,
        // An application whose request had no token must not be given the token of a later one.
        ...(promoCodeToken && {
          ConditionExpression: 'attribute_not_exists(eventId) OR attribute_exists(#promoCodeToken)',
        }),
        ExpressionAttributeNames: Object.fromEntries(
          attributes.map(([name]) => [`#${name}`, name]),
        ),
        ExpressionAttributeValues: Object.fromEntries(
          attributes.map(([name, value]) => [`:${name}`, value]),
        ),
        ReturnValues: 'ALL_NEW',
      }),
    );
    return Attributes?.requestDate;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return applyOnce({ ...event, promoCodeToken: undefined });
  }
}

async function keepRepeated(event: PromoEvent): Promise<void> {
  try {
    await dynamodb.send(
      new PutCommand({
        TableName,
        Item: { ...event, eventId: repeatedEventId(event) },
        ConditionExpression: 'attribute_not_exists(eventId)',
      }),
    );
  } catch (error) {
    // It is there already: this request arrived before.
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}
