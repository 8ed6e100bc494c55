import { isDeepStrictEqual } from 'node:util';
import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';
import { REGION } from 'customer-data-api-deployment/local';
import type { StreamViewType } from '../template.ts';

/** An item in DynamoDB's JSON. */
export type Item = Record<string, AttributeValue>;

/** A write of one item. */
export interface Change {
  readonly key: Item;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
  /** True if the item was removed because it had expired. */
  readonly isExpiry?: boolean;
}

/** The only shard of a local stream. */
export const SHARD_ID = 'shardId-00000000000000000000-00000000';

/** Records kept for re-reading. AWS keeps them for 24 hours. */
const MAX_RECORDS = 10_000;

/**
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/time-to-live-ttl-streams.html
 */
const EXPIRY = { type: 'Service', principalId: 'dynamodb.amazonaws.com' };

/** The stream of a table. */
export class TableStream {
  readonly arn: string;
  readonly #viewType: StreamViewType;
  readonly #onRecord: (record: DynamoDBRecord) => Promise<void>;
  readonly #records: DynamoDBRecord[] = [];
  /** Exceeds those of earlier runs, whose records may have left traces in the data folder. */
  #sequenceNumber = Date.now() * 1000;

  /** @param onRecord receives each record, in order. */
  constructor(
    arn: string,
    viewType: StreamViewType,
    onRecord: (record: DynamoDBRecord) => Promise<void>,
  ) {
    this.arn = arn;
    this.#viewType = viewType;
    this.#onRecord = onRecord;
  }

  /** Adds the record of a change. A write that changes nothing makes no record. */
  async add({ key, before, after, isExpiry }: Change): Promise<void> {
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
      eventSourceARN: this.arn,
      ...(isExpiry && { userIdentity: EXPIRY }),
    };
    this.#records.push(record);
    if (this.#records.length > MAX_RECORDS) this.#records.shift();
    await this.#onRecord(record);
  }

  /** Returns the kept records from a sequence number on. */
  from(sequenceNumber: string): DynamoDBRecord[] {
    return this.#records.filter((record) => sequenceNumberOf(record) >= sequenceNumber);
  }

  /** True if the record with this sequence number is still kept. */
  keeps(sequenceNumber: string): boolean {
    return this.#records.some((record) => sequenceNumberOf(record) === sequenceNumber);
  }
}

function sequenceNumberOf({ dynamodb }: DynamoDBRecord): string {
  return dynamodb?.SequenceNumber ?? '';
}
