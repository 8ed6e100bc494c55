import { AwsError } from '../platform/aws-json.ts';
import { dynamodb } from '../platform/dynamodb.ts';
import { readEnvironment } from '../platform/environment.ts';
import { appliedEventId, type PromoEvent, repeatedEventId } from './promo-event.ts';

const { PROMO_EVENTS_TABLE_NAME: TableName, PROMO_EVENT_RETENTION_DAYS: RETENTION_DAYS } =
  readEnvironment(['PROMO_EVENTS_TABLE_NAME', 'PROMO_EVENT_RETENTION_DAYS']);
const DAY_SECONDS = 24 * 60 * 60;

/** What an event is in the table; the detail type on the event bus. */
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
export async function storePromoEvent(event: PromoEvent, abortSignal: AbortSignal): Promise<Kind> {
  const appliedRequestDate = await applyOnce(event, abortSignal);
  if (appliedRequestDate === event.requestDate) return 'applied';
  await storeRepeated(event, abortSignal);
  return 'repeated';
}

/**
 * Writes the application unless there is one, in one call without a read. An update that changes nothing makes no
 * stream record, so followers of the stream hear of an application once.
 *
 * @returns the `requestDate` of the request that made the application.
 */
async function applyOnce(event: PromoEvent, abortSignal: AbortSignal): Promise<string> {
  const { promoCodeToken, ...always } = { ...event, kind: 'applied' };
  const optional = { ...(promoCodeToken && { promoCodeToken }), ...expiry(event) };
  // An application that has no token, or is kept for good, must not be given the token or the end of a later request.
  const lacksNone = Object.keys(optional).map((name) => `attribute_exists(#${name})`);
  const isNewOrLacksNone =
    lacksNone.length > 0 && `attribute_not_exists(eventId) OR (${lacksNone.join(' AND ')})`;
  try {
    return await setOnce({ ...always, ...optional }, isNewOrLacksNone, abortSignal);
  } catch (error) {
    if (!isConditionFailed(error)) throw error;
    return await setOnce(always, 'attribute_exists(eventId)', abortSignal);
  }
}

/** Gives the application of an event those attributes that it does not have. */
async function setOnce(
  { clientId, ...attributes }: Omit<PromoEvent, 'promoCodeToken'>,
  ConditionExpression: string | false,
  abortSignal: AbortSignal,
): Promise<string> {
  const entries = Object.entries(attributes);
  const { Attributes } = await dynamodb(
    'UpdateItem',
    {
      TableName,
      Key: { clientId, eventId: appliedEventId(attributes) },
      UpdateExpression: `SET ${entries
        .map(([name]) => `#${name} = if_not_exists(#${name}, :${name})`)
        .join(', ')}`,
      ...(ConditionExpression && { ConditionExpression }),
      ExpressionAttributeNames: Object.fromEntries(entries.map(([name]) => [`#${name}`, name])),
      ExpressionAttributeValues: Object.fromEntries(
        entries.map(([name, value]) => [`:${name}`, value]),
      ),
      ReturnValues: 'ALL_NEW',
    },
    abortSignal,
  );
  return Attributes?.requestDate;
}

async function storeRepeated(event: PromoEvent, abortSignal: AbortSignal): Promise<void> {
  try {
    await dynamodb(
      'PutItem',
      {
        TableName,
        Item: { ...event, kind: 'repeated', ...expiry(event), eventId: repeatedEventId(event) },
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
 * When DynamoDB may delete an item, if ever. That depends on the event alone, so that an event that comes again does not
 * live longer.
 */
function expiry({ receivedAt }: PromoEvent): { expiresAt?: number } {
  if (RETENTION_DAYS === 0) return {};
  return { expiresAt: Math.floor(Date.parse(receivedAt) / 1000) + RETENTION_DAYS * DAY_SECONDS };
}
