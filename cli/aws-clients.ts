import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { databaseClient } from '../local/database.ts';
import { queueClient } from '../local/queues.ts';
import type { Outputs } from './outputs.ts';

/** The SDK's client for the tables of a deployment or of the local server. */
export function documentClient(outputs: Outputs): DynamoDBDocumentClient {
  const { DynamoDbEndpoint } = outputs;
  return DynamoDBDocumentClient.from(
    DynamoDbEndpoint
      ? databaseClient(DynamoDbEndpoint)
      : new DynamoDBClient({ region: outputs.Region }),
  );
}

/** The SDK's client for the queues of a deployment or of the local server. */
export function sqsClient(outputs: Outputs): SQSClient {
  const { SqsEndpoint } = outputs;
  return SqsEndpoint
    ? queueClient(SqsEndpoint)
    : // The host in the URL of a queue is not always where an emulator listens.
      new SQSClient({ region: outputs.Region, useQueueUrlAsEndpoint: false });
}
