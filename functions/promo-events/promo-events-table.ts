import { AwsError } from '../http/aws-json.ts';
import { dynamodb } from '../http/dynamodb.ts';
import { environment, numericEnvironment } from '../http/environment.ts';
import { appliedEventId, type PromoEvent, repeatedEventId } from './promo-event.ts';

const TableName = environment('PROMO_EVENTS_TABLE_NAME');
const RETENTION_DAYS = numericEnvironment('PROMO_EVENT_RETENTION_DAYS');
const DAY_SECONDS = 24 * 60 * 60;

/** What an event is in the table. */
export type Kind = 'applied' | 'repeated';

/**
 * Keeps a promo event, once however often and in whatever order it arrives: the first request for a code and a user is
 * the application, each request with another `requestDate` is a repetition of it.
 *
 * @param abortSignal gives up waiting; what was sent by then may still be written, and sending the event again completes
 *   it.
 * @returns what the event is in the table.
 * @throws what `dynamodb` throws.
 */
export async function keepPromoEvent(event: PromoEvent, abortSignal: AbortSignal): Promise<Kind> {
  const appliedRequestDate = await applyOnce(event, abortSignal);
  if (appliedRequestDate === event.requestDate) return 'applied';
  await keepRepeated(event, abortSignal);
  return 'repeated';
}

/**
 * Writes the application unless there is one, in one call without a read. An update that changes nothing makes no
 * stream record, so followers of the stream hear of an application once.
 *
 * @returns the `requestDate` of the request that made the application.
 */
async function applyOnce(event: PromoEvent, abortSignal: AbortSignal): Promise<string> {
  const { clientId, promoCodeToken, ...required } = event;
  const attributes = Object.entries({
    ...required,
    ...derived('applied', event),
    ...(promoCodeToken && { promoCodeToken }),
  });
  try {
    const { Attributes } = await dynamodb(
      'UpdateItem',
      {
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
      },
      abortSignal,
    );
    return Attributes?.requestDate;
  } catch (error) {
    if (!isConditionFailed(error)) throw error;
    return applyOnce({ ...event, promoCodeToken: undefined }, abortSignal);
  }
}

async function keepRepeated(event: PromoEvent, abortSignal: AbortSignal): Promise<void> {
  try {
    await dynamodb(
      'PutItem',
      {
        TableName,
        Item: { ...event, ...derived('repeated', event), eventId: repeatedEventId(event) },
        ConditionExpression: 'attribute_not_exists(eventId)',
      },
      abortSignal,
    );
  } catch (error) {
    // It is there already: this request arrived before.
    if (!isConditionFailed(error)) throw error;
  }
}

function isConditionFailed(error: unknown): boolean {
  return error instanceof AwsError && error.name === 'ConditionalCheckFailedException';
}

/**
 * What an item has besides the event: its kind, which becomes the detail type on the event bus, and when DynamoDB may
 * delete it, if ever. That depends on the event alone, so that an event that comes again does not live longer.
 */
function derived(kind: Kind, { receivedAt }: PromoEvent) {
  const expiresAt = Math.floor(Date.parse(receivedAt) / 1000) + RETENTION_DAYS * DAY_SECONDS;
  return { kind, ...(RETENTION_DAYS > 0 && { expiresAt }) };
}
