import { isDeepStrictEqual } from 'node:util';
import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';
import { REGION } from 'customer-data-api-deployment/local';
import type { StreamViewType } from '../template.ts';

/** An item in DynamoDB's JSON. */
export type Item = Record<string, AttributeValue>;

/** A write of one item. */
export interface Write {
  readonly key: Item;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
  /** True if the item was removed because it had expired. */
  readonly isExpiry?: boolean;
}

/**
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/time-to-live-ttl-streams.html
 */
const EXPIRY = { type: 'Service', principalId: 'dynamodb.amazonaws.com' };

/** The stream of a table. */
export class TableStream {
  readonly #arn: string;
  readonly #viewType: StreamViewType;
  readonly #onRecord: (record: DynamoDBRecord) => void;
  /** Exceeds those of earlier runs, whose records may have left traces in the data folder. */
  #sequenceNumber = Date.now() * 1000;

  /** @param onRecord receives each record, in order. */
  constructor(arn: string, viewType: StreamViewType, onRecord: (record: DynamoDBRecord) => void) {
    this.#arn = arn;
    this.#viewType = viewType;
    this.#onRecord = onRecord;
  }

  /** Adds the record of a change. A write that changes nothing makes no record. */
  add({ key, before, after, isExpiry }: Write): void {
    if (isDeepStrictEqual(before, after)) return;
    this.#sequenceNumber++;
    const record: DynamoDBRecord = {
      eventID: String(this.#sequenceNumber).padStart(32, '0'),
      eventName: before ? (after ? 'MODIFY' : 'REMOVE') : 'INSERT',
      eventVersion: '1.1',
      eventSource: 'aws:dynamodb',
      awsRegion: REGION,
      dynamodb: {
        ApproximateCreationDateTime: Math.floor(Date.now() / 1000),
        Keys: key,
        ...(after && { NewImage: after }),
        ...(before && this.#viewType === 'NEW_AND_OLD_IMAGES' && { OldImage: before }),
        SequenceNumber: String(this.#sequenceNumber).padStart(21, '0'),
        SizeBytes: JSON.stringify({ ...key, ...after }).length,
        StreamViewType: this.#viewType,
      },
      eventSourceARN: this.#arn,
      ...(isExpiry && { userIdentity: EXPIRY }),
    };
    this.#onRecord(record);
  }
}
