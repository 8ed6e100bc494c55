import type {
  Context,
  DynamoDBBatchResponse,
  DynamoDBRecord,
  DynamoDBStreamEvent,
  SQSBatchResponse,
  SQSEvent,
  SQSRecord,
} from 'aws-lambda';
import { publishMetrics } from '../../core/runtime/metrics.ts';
import { publishLetters } from './publish-letters.ts';
import { publishRecords } from './publish-records.ts';

/**
 * Publishes the events of new items, which come from the stream of the table, and those of dead
 * letters, which SQS has moved to the queue. It reports what failed, so that only that comes again.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-batchfailurereporting.html
 */
export async function handler(
  { Records }: DynamoDBStreamEvent | SQSEvent,
  context: Context,
): Promise<DynamoDBBatchResponse & SQSBatchResponse> {
  const failed = areLetters(Records)
    ? await publishLetters(Records, context)
    : await publishRecords(Records, context);
  publishMetrics();
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
}

function areLetters(records: DynamoDBRecord[] | SQSRecord[]): records is SQSRecord[] {
  return records.some((record) => 'messageId' in record);
}
