import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { readItem } from '../aws/attribute-values.ts';
import { count } from '../runtime/metrics.ts';
import { appliedItem, expiry, type Retention } from './applied-item.ts';
import { type PromoEvent, repeatedEventId } from './promo-event.ts';

/** The kind of a stored event; also the detail type on the event bus. */
export type Kind = 'applied' | 'repeated';

/** The outcome for an event that is in the table. */
export interface Stored {
  readonly kind: Kind;
  /**
   * The properties in which the event differs from the one that was stored before with the same
   * `requestDate`. Their values are not in the table.
   */
  readonly notStored: readonly string[];
}

/** The PromoEvents table. */
export interface PromoEventsTable extends Retention {
  readonly documentClient: DynamoDBDocumentClient;
  readonly tableName: string;
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
): Promise<Stored> {
  const application = await applyOnce(table, event, abortSignal);
  if (application.requestDate === event.requestDate) {
    // A request that is sent again makes no stream record, which the publisher would count.
    const isNew = application.receivedAt === event.receivedAt;
    if (isNew) count('PromoEventApplied');
    return { kind: 'applied', notStored: differences(event, application) };
  }
  const before = await storeRepeated(table, event, abortSignal);
  if (!before) count('PromoEventRepeated');
  return { kind: 'repeated', notStored: before ? differences(event, before) : [] };
}

/** The properties that two requests with one `requestDate` can have differently. */
const NOT_IN_KEY = ['promoCode', 'promoCodeToken', 'eventType', 'source', 'deviceId'] as const;

type StoredItem = Readonly<Record<string, unknown>>;

function differences(event: PromoEvent, stored: StoredItem): string[] {
  return NOT_IN_KEY.filter((name) => event[name] && event[name] !== stored[name]);
}

/**
 * Writes the application unless it exists, in one call without a read; returns it.
 * An update that changes nothing creates no stream record: consumers receive each application once.
 */
async function applyOnce(
  table: PromoEventsTable,
  event: PromoEvent,
  abortSignal: AbortSignal,
): Promise<StoredItem> {
  const { Key, always, optional } = appliedItem(table, event);
  // An application that lacks one of them must not get that of a later request.
  const hasAllOptional = Object.keys(optional).map((name) => `attribute_exists(#${name})`);
  const condition =
    hasAllOptional.length > 0 &&
    `attribute_not_exists(eventId) OR (${hasAllOptional.join(' AND ')})`;
  try {
    return await setOnce(table, Key, { ...always, ...optional }, condition, abortSignal);
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return await setOnce(table, Key, always, 'attribute_exists(eventId)', abortSignal);
  }
}

/** Sets the attributes that an application lacks. Returns it. */
async function setOnce(
  { documentClient, tableName }: PromoEventsTable,
  Key: Pick<PromoEvent, 'clientId'> & { readonly eventId: string },
  attributes: Readonly<Record<string, string | number>>,
  ConditionExpression: string | false,
  abortSignal: AbortSignal,
): Promise<StoredItem> {
  const entries = Object.entries(attributes);
  const update = new UpdateCommand({
    TableName: tableName,
    Key,
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
  return Attributes;
}

/** Returns the item that was there before, as far as the engine returns it. */
async function storeRepeated(
  table: PromoEventsTable,
  event: PromoEvent,
  abortSignal: AbortSignal,
): Promise<StoredItem | undefined> {
  const put = new PutCommand({
    TableName: table.tableName,
    Item: { ...event, kind: 'repeated', ...expiry(table, event), eventId: repeatedEventId(event) },
    ConditionExpression: 'attribute_not_exists(eventId)',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  try {
    await table.documentClient.send(put, { abortSignal });
    return undefined;
  } catch (error) {
    // The item exists: a repeated delivery of the same request.
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return error.Item && readItem(error.Item);
  }
}
