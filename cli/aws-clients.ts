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
      : new DynamoDBClient({ region: regionOf(outputs) }),
  );
}

/** The SDK's client for the queues of a deployment or of the local server. */
export function sqsClient(outputs: Outputs): SQSClient {
  const { SqsEndpoint } = outputs;
  return SqsEndpoint
    ? queueClient(SqsEndpoint)
    : // In an emulator a queue has the URL that it has on AWS, which is not where the emulator listens.
      new SQSClient({ region: regionOf(outputs), useQueueUrlAsEndpoint: false });
}

/** `https://sqs.<region>.…`. The URL of the API need not name the region: it may be a domain of its own. */
function regionOf({ PromoEventsQueueUrl }: Outputs): string {
  return new URL(PromoEventsQueueUrl).hostname.split('.')[1] ?? '';
}
