import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { count } from '../runtime/metrics.ts';
import { appliedEventId, type PromoEvent, repeatedEventId } from './promo-event.ts';

const DAY_SECONDS = 24 * 60 * 60;

/** The kind of a stored event; also the detail type on the event bus. */
export type Kind = 'applied' | 'repeated';

/** The PromoEvents table. */
export interface PromoEventsTable {
  readonly documentClient: DynamoDBDocumentClient;
  readonly tableName: string;
  /** Days after which DynamoDB may delete an event; 0 for never. */
  readonly retentionDays: number;
}

/**
 * Stores a promo event once, however often and in whatever order it arrives. The first request for
 * a code and a user is the application; those with another `requestDate` are repetitions. After an
 * abort, a write may still succeed; storing the event again completes it.
 *
 * @throws the AWS SDK's errors, unchanged.
 */
export async function storePromoEvent(
  table: PromoEventsTable,
  event: PromoEvent,
  abortSignal: AbortSignal,
): Promise<Kind> {
  const appliedRequestDate = await applyOnce(table, event, abortSignal);
  if (appliedRequestDate === event.requestDate) {
    count('PromoEventApplied');
    return 'applied';
  }
  await storeRepeated(table, event, abortSignal);
  count('PromoEventRepeated');
  return 'repeated';
}

/**
 * Writes the application unless it exists, in one call without a read; returns its `requestDate`.
 * An update that changes nothing creates no stream record: consumers receive each application once.
 */
async function applyOnce(
  table: PromoEventsTable,
  event: PromoEvent,
  abortSignal: AbortSignal,
): Promise<string> {
  const { promoCodeToken, ...always } = { ...event, kind: 'applied' };
  const optional = { ...(promoCodeToken && { promoCodeToken }), ...expiry(table, event) };
  // An application without a token, or without an expiry, must not get those of a later request.
  const hasAllOptional = Object.keys(optional).map((name) => `attribute_exists(#${name})`);
  const condition =
    hasAllOptional.length > 0 &&
    `attribute_not_exists(eventId) OR (${hasAllOptional.join(' AND ')})`;
  try {
    return await setOnce(table, { ...always, ...optional }, condition, abortSignal);
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return await setOnce(table, always, 'attribute_exists(eventId)', abortSignal);
  }
}

/** Sets the attributes that an application lacks. Returns its `requestDate`. */
async function setOnce(
  { documentClient, tableName }: PromoEventsTable,
  { clientId, ...attributes }: Omit<PromoEvent, 'promoCodeToken'>,
  ConditionExpression: string | false,
  abortSignal: AbortSignal,
): Promise<string> {
  const entries = Object.entries(attributes);
  const update = new UpdateCommand({
    TableName: tableName,
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
  });
  const { Attributes = {} } = await documentClient.send(update, { abortSignal });
  return Attributes.requestDate;
}

async function storeRepeated(
  table: PromoEventsTable,
  event: PromoEvent,
  abortSignal: AbortSignal,
): Promise<void> {
  const put = new PutCommand({
    TableName: table.tableName,
    Item: { ...event, kind: 'repeated', ...expiry(table, event), eventId: repeatedEventId(event) },
    ConditionExpression: 'attribute_not_exists(eventId)',
  });
  try {
    await table.documentClient.send(put, { abortSignal });
  } catch (error) {
    // The item exists: a repeated delivery of the same request.
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

/** Returns when DynamoDB may delete an item. Based on the event: a duplicate changes nothing. */
function expiry(
  { retentionDays }: PromoEventsTable,
  { receivedAt }: PromoEvent,
): { expiresAt?: number } {
  if (retentionDays === 0) return {};
  return { expiresAt: Math.floor(Date.parse(receivedAt) / 1000) + retentionDays * DAY_SECONDS };
}
