import {
  type DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  ResourceNotFoundException,
  TrimmedDataAccessException,
} from '@aws-sdk/client-dynamodb-streams';
import * as v from 'valibot';

/** The records of a dead letter, as a range in a stream. */
interface RecordRange {
  readonly streamArn: string;
  readonly shardId: string;
  readonly startSequenceNumber: string;
  readonly endSequenceNumber: string;
  /** Arrival of the first record, in ISO 8601. */
  readonly arrival: string;
}

/** A record as a pipe gets it: attribute values are in DynamoDB's JSON. */
export interface StreamRecord {
  readonly eventName?: string;
  readonly dynamodb?: {
    readonly SequenceNumber?: string;
    readonly Keys?: Record<string, { S: string }>;
  };
}

/** Empty pages that end the search: a shard that still receives records ends with any number. */
const MAX_EMPTY = 20;

const SequenceNumber = v.pipe(v.string(), v.digits());
const DeadLetter = v.object({
  DDBStreamBatchInfo: v.object({
    streamArn: v.string(),
    shardId: v.string(),
    startSequenceNumber: SequenceNumber,
    endSequenceNumber: SequenceNumber,
    approximateArrivalOfFirstRecord: v.string(),
  }),
});

/** Reads the range from a pipe's dead letter; undefined for other messages. Never throws. */
export function readRecordRange(body: string): RecordRange | undefined {
  const { success, output } = v.safeParse(v.pipe(v.string(), v.parseJson(), DeadLetter), body);
  if (!success) return undefined;
  const { approximateArrivalOfFirstRecord: arrival, ...position } = output.DDBStreamBatchInfo;
  return { ...position, arrival };
}

/** Reads the records of a range; undefined if one has expired: a stream keeps them for 24 hours. */
export async function recordsAt(
  streams: DynamoDBStreamsClient,
  { streamArn, shardId, startSequenceNumber, endSequenceNumber }: RecordRange,
): Promise<StreamRecord[] | undefined> {
  const found: StreamRecord[] = [];
  try {
    let { ShardIterator } = await streams.send(
      new GetShardIteratorCommand({
        StreamArn: streamArn,
        ShardId: shardId,
        ShardIteratorType: 'AT_SEQUENCE_NUMBER',
        SequenceNumber: startSequenceNumber,
      }),
    );
    for (let empty = 0; ShardIterator && empty < MAX_EMPTY; ) {
      const { Records = [], NextShardIterator } = await streams.send(
        new GetRecordsCommand({ ShardIterator }),
      );
      for (const record of Records.map(inDynamoDbJson<StreamRecord>)) {
        const number = BigInt(record.dynamodb?.SequenceNumber ?? 0);
        if (number > BigInt(endSequenceNumber)) return found;
        found.push(record);
        if (number === BigInt(endSequenceNumber)) return found;
      }
      if (Records.length === 0) empty++;
      ShardIterator = NextShardIterator;
    }
  } catch (error) {
    const isGone =
      error instanceof TrimmedDataAccessException || error instanceof ResourceNotFoundException;
    if (!isGone) throw error;
  }
  return undefined;
}

/** Encodes binary values in base64, as a pipe has them. The AWS SDK decodes them. */
export function inDynamoDbJson<T extends object>(value: object): T {
  return JSON.parse(
    JSON.stringify(value, (_, value) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
    ),
  );
}
