import { GetRecordsCommand, GetShardIteratorCommand } from '@aws-sdk/client-dynamodb-streams';
import { tableStreamsClient } from '../../local/aws-clients.ts';
import type { LocalOutputs } from '../../local/outputs-file.ts';
import { SHARD_ID } from '../../local/table-stream.ts';

/**
 * Makes what the pipe sends to its dead-letter queue for records of the local server.
 *
 * @param first the first record; the first write to the table of promo events is number 1. It need not exist.
 */
export async function pipeDeadLetter(
  {
    DynamoDbEndpoint,
    PromoEventsTableName,
  }: Pick<LocalOutputs, 'DynamoDbEndpoint' | 'PromoEventsTableName'>,
  first: number,
  last: number,
): Promise<string> {
  const streamArn = `arn:aws:dynamodb:us-east-1:000000000000:table/${PromoEventsTableName}/stream/2026-01-01T00:00:00.000`;
  const client = tableStreamsClient(DynamoDbEndpoint);
  const { ShardIterator } = await client.send(
    new GetShardIteratorCommand({
      StreamArn: streamArn,
      ShardId: SHARD_ID,
      ShardIteratorType: 'TRIM_HORIZON',
    }),
  );
  const { Records = [] } = await client.send(new GetRecordsCommand({ ShardIterator }));
  client.destroy();
  const sequenceNumber = (record: number) =>
    Records[record - 1]?.dynamodb?.SequenceNumber ?? String(record).padStart(21, '0');
  return JSON.stringify({
    context: { condition: 'MaximumRecordAgeExceeded' },
    DDBStreamBatchInfo: {
      shardId: SHARD_ID,
      startSequenceNumber: sequenceNumber(first),
      endSequenceNumber: sequenceNumber(last),
      approximateArrivalOfFirstRecord: '2026-11-20T09:30:00Z',
      streamArn,
    },
  });
}
