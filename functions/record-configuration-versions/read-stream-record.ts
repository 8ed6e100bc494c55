import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { DynamoDBRecord, AttributeValue as EventValue } from 'aws-lambda';
import type { RawItem } from '../../core/client-attributes.ts';
import type { ItemChange } from '../../core/history/item-change.ts';

/** Reads a stream record of the Configs table. */
export function readStreamRecord({
  eventID,
  eventSourceARN,
  dynamodb,
}: DynamoDBRecord): ItemChange {
  const { Keys, OldImage, NewImage, SequenceNumber, ApproximateCreationDateTime } = dynamodb ?? {};
  return {
    clientId: Keys?.clientId?.S ?? '',
    eventId: eventID ?? '',
    position: { stream: eventSourceARN ?? '', sequenceNumber: SequenceNumber ?? '' },
    at: new Date((ApproximateCreationDateTime ?? 0) * 1000).toISOString(),
    before: OldImage && toItem(OldImage),
    after: NewImage && toItem(NewImage),
  };
}

function toItem(image: Record<string, EventValue>): RawItem {
  return Object.fromEntries(Object.entries(image).map(([name, value]) => [name, toValue(value)]));
}

/** Converts a value of an event to the AWS SDK's form: binary values are in base64. */
function toValue(value: EventValue): AttributeValue {
  const { B, BS, L, M } = value;
  if (B !== undefined) return { B: Buffer.from(B, 'base64') };
  if (BS) return { BS: BS.map((bytes) => Buffer.from(bytes, 'base64')) };
  if (L) return { L: L.map(toValue) };
  return M ? { M: toItem(M) } : (value as AttributeValue);
}
