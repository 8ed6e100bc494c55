import { GetRecordsCommand, GetShardIteratorCommand } from '@aws-sdk/client-dynamodb-streams';
import type { LocalOutputs } from 'customer-data-api-deployment/local';
import { tableStreamsClient } from 'customer-data-api-deployment/local';
import { SHARD_ID } from 'customer-data-api-local';

type Database = Pick<LocalOutputs, 'DynamoDbEndpoint' | 'PromoEventsTableName'>;

/** Reads the sequence numbers of the records of the promo events of a local server. */
export async function recordsOf(outputs: Database): Promise<string[]> {
  const client = tableStreamsClient(outputs.DynamoDbEndpoint);
  const { ShardIterator } = await client.send(
    new GetShardIteratorCommand({
      StreamArn: streamOf(outputs),
      ShardId: SHARD_ID,
      ShardIteratorType: 'TRIM_HORIZON',
    }),
  );
  const { Records = [] } = await client.send(new GetRecordsCommand({ ShardIterator }));
  client.destroy();
  return Records.map(({ dynamodb }) => dynamodb?.SequenceNumber ?? '');
}

const streamOf = ({ PromoEventsTableName }: Database) =>
  `arn:aws:dynamodb:us-east-1:000000000000:table/${PromoEventsTableName}/stream/2026-01-01T00:00:00.000`;

/**
 * Makes what the pipe sends to its dead-letter queue for records of the local server.
 *
 * @param first the first record; the first write to the table of promo events is number 1. It need
 *   not exist.
 */
export async function pipeDeadLetter(
  outputs: Database,
  first: number,
  last: number,
): Promise<string> {
  const records = await recordsOf(outputs);
  const sequenceNumber = (record: number) =>
    records[record - 1] ?? String(record).padStart(21, '0');
  return JSON.stringify({
    context: { condition: 'MaximumRecordAgeExceeded' },
    DDBStreamBatchInfo: {
      shardId: SHARD_ID,
      startSequenceNumber: sequenceNumber(first),
      endSequenceNumber: sequenceNumber(last),
      approximateArrivalOfFirstRecord: '2026-11-20T09:30:00Z',
      streamArn: streamOf(outputs),
    },
  });
}
