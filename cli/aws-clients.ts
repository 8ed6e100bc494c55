import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { databaseClient } from '../local/database.ts';
import { queueClient } from '../local/queues.ts';
import type { Outputs } from './outputs.ts';

/** A client of the tables of a deployment, or of the local server. */
export function documentClient(outputs: Outputs): DynamoDBDocumentClient {
  const { DynamoDbEndpoint } = outputs;
  return DynamoDBDocumentClient.from(
    DynamoDbEndpoint
      ? databaseClient(DynamoDbEndpoint)
      : new DynamoDBClient({ region: regionOf(outputs) }),
  );
}

/** A client of the queues of a deployment, or of the local server. */
export function sqsClient(outputs: Outputs): SQSClient {
  const { SqsEndpoint } = outputs;
  return SqsEndpoint
    ? queueClient(SqsEndpoint)
    : // An emulator's queue has the URL that the queue has on AWS.
      new SQSClient({ region: regionOf(outputs), useQueueUrlAsEndpoint: false });
}

/** `https://<api>.execute-api.<region>.…` */
function regionOf({ ApiUrl }: Outputs): string {
  return new URL(ApiUrl).hostname.split('.')[2] ?? '';
}
