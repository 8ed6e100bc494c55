import { setTimeout } from 'node:timers/promises';
import { UpdateTableCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { databaseClient, tableStreamsClient } from 'customer-data-api-deployment/local';

/** A record of the stream, as far as it is read here. */
interface StreamRecord {
  readonly dynamodb?:
    | {
        readonly SequenceNumber?: string | undefined;
        readonly ApproximateCreationDateTime?: Date | undefined;
      }
    | undefined;
}

const PAUSE_MS = 50;

/**
 * Enables the stream of a table of the second engine, and reads its first shard until it is told to
 * stop. A shard lives for hours, so tests need no other.
 *
 * @returns a function that stops reading.
 */
export async function readOwnStream(
  endpoint: string,
  TableName: string,
  onRecord: (record: DynamoDBRecord) => void,
): Promise<() => Promise<void>> {
  const [dynamodb, streams] = [databaseClient(endpoint), tableStreamsClient(endpoint)];
  const StreamViewType = 'NEW_AND_OLD_IMAGES';
  const StreamSpecification = { StreamEnabled: true, StreamViewType } as const;
  const { TableDescription } = await dynamodb.send(
    new UpdateTableCommand({ TableName, StreamSpecification }),
  );
  const StreamArn = TableDescription?.LatestStreamArn;
  const { StreamDescription } = await streams.describeStream({ StreamArn });
  const [shard] = StreamDescription?.Shards ?? [];
  const iteratorAfter = async (SequenceNumber: string | undefined) => {
    const { ShardIterator } = await streams.getShardIterator({
      StreamArn,
      ShardId: shard?.ShardId,
      ...(SequenceNumber === undefined
        ? { ShardIteratorType: 'TRIM_HORIZON' }
        : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber }),
    });
    return ShardIterator;
  };
  const stopped = new AbortController();
  const reading = (async () => {
    let last: string | undefined;
    let iterator = await iteratorAfter(last);
    while (!stopped.signal.aborted) {
      if (iterator === undefined) throw new Error(`The shard of ${StreamArn} ended.`);
      try {
        const answer = await streams.getRecords({ ShardIterator: iterator });
        for (const record of answer.Records ?? []) {
          last = record.dynamodb?.SequenceNumber;
          onRecord(asEvent(record, String(StreamArn)));
        }
        iterator = answer.NextShardIterator;
      } catch (error) {
        // An engine may move the start of an empty shard.
        if (Object(error).name !== 'TrimmedDataAccessException') throw error;
        iterator = await iteratorAfter(last);
      }
      await setTimeout(PAUSE_MS);
    }
  })();
  return async () => {
    stopped.abort();
    await reading;
    dynamodb.destroy();
    streams.destroy();
  };
}

/** A record of the SDK as Lambda delivers it: binary values are in base64. */
function asEvent(record: StreamRecord, eventSourceARN: string): DynamoDBRecord {
  const event = JSON.parse(
    JSON.stringify({ ...record, eventSourceARN }, (_, value) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
    ),
  );
  const seconds = Math.floor(Number(record.dynamodb?.ApproximateCreationDateTime) / 1000);
  event.dynamodb.ApproximateCreationDateTime = seconds;
  return event;
}
