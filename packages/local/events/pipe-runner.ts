import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { DynamoDBRecord } from 'aws-lambda';
import { transformation } from 'customer-data-api-operator/pipe';
import { SHARD_ID } from '../dynamodb/table-stream.ts';
import type { Pipe } from '../template.ts';
import type { EventBus } from './event-bus.ts';

/**
 * Runs a pipe: the returned function puts the event of a record on the bus. The position of a
 * rejected record goes to the dead-letter queue, as on AWS after the last retry.
 */
export function pipeRunner(pipe: Pipe, bus: EventBus, sqs: SQSClient) {
  const transform = transformation(pipe);
  return async (record: DynamoDBRecord): Promise<void> => {
    const entry = transform(record);
    if (!entry) return;
    const { source: Source, detailType: DetailType, detail: Detail } = entry;
    const { FailedEntryCount } = await bus.put([{ Source, DetailType, Detail }]);
    if (FailedEntryCount === 0) return;
    const MessageBody = JSON.stringify(deadLetter(pipe, record));
    await sqs.send(new SendMessageCommand({ QueueUrl: pipe.deadLetterQueueUrl, MessageBody }));
  };
}

/** Writes EventBridge's message about a failed record: its position, without content. */
function deadLetter({ pipeArn, streamArn }: Pipe, { dynamodb }: DynamoDBRecord) {
  const { SequenceNumber, ApproximateCreationDateTime = 0 } = dynamodb ?? {};
  const arrival = new Date(ApproximateCreationDateTime * 1000).toISOString();
  return {
    context: { partnerResourceArn: pipeArn, condition: 'RetryAttemptsExhausted' },
    version: '1.0',
    timestamp: new Date().toISOString(),
    DDBStreamBatchInfo: {
      shardId: SHARD_ID,
      startSequenceNumber: SequenceNumber,
      endSequenceNumber: SequenceNumber,
      approximateArrivalOfFirstRecord: arrival,
      approximateArrivalOfLastRecord: arrival,
      batchSize: 1,
      streamArn,
    },
  };
}
