import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';

/* Separate from the servers, so that commands need not wait for the engines to load. */

/** The region of the local server. */
export const REGION = 'us-east-1';

/** The AWS SDK requires credentials; the emulators accept any. */
export const LOCAL_SETTINGS = {
  region: REGION,
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
};

/** Creates a client for a DynamoDB on this machine. */
export function databaseClient(endpoint: string): DynamoDBClient {
  return new DynamoDBClient({ endpoint, ...LOCAL_SETTINGS });
}

/** Creates a client for the embedded SQS. */
export function queueClient(endpoint: string): SQSClient {
  return new SQSClient({ endpoint, useQueueUrlAsEndpoint: false, ...LOCAL_SETTINGS });
}
