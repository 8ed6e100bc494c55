import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SQSClient } from '@aws-sdk/client-sqs';
import { REGION } from './template.ts';

/*
 * Separate from the servers that they call: commands need only the clients, and would wait for the
 * engines to load.
 */

/** The SDK requires credentials. Any will do here. */
const SETTINGS = {
  region: REGION,
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
};

/** A client for a DynamoDB on this machine. */
export function databaseClient(endpoint: string): DynamoDBClient {
  return new DynamoDBClient({ endpoint, ...SETTINGS });
}

/** A client for the streams of a DynamoDB on this machine. */
export function tableStreamsClient(endpoint: string): DynamoDBStreamsClient {
  return new DynamoDBStreamsClient({ endpoint, ...SETTINGS });
}

/** A client for the embedded SQS. */
export function queueClient(endpoint: string): SQSClient {
  return new SQSClient({ endpoint, useQueueUrlAsEndpoint: false, ...SETTINGS });
}

/** A client for the local event bus. */
export function eventBusClient(endpoint: string): EventBridgeClient {
  return new EventBridgeClient({ endpoint, ...SETTINGS });
}
