import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { awsClientSettings } from './aws-client-settings.ts';
import { lastErrorPlugin } from './last-error.ts';

/**
 * Makes a client of DynamoDB. Keys, items and values are in DynamoDB's JSON.
 *
 * Pass `abortSignal` with each call to limit its total time, including retries and backoff. What was sent before the
 * signal may still be done.
 *
 * @param endpoint the URL of DynamoDB, unless a variable of the SDKs moves it.
 */
export function createDynamoDbClient(endpoint: string): DynamoDBClient {
  const client = new DynamoDBClient({
    ...awsClientSettings('DYNAMODB', endpoint),
    accountIdEndpointMode: 'disabled',
    endpointDiscoveryEnabledProvider: async () => false,
  });
  client.middlewareStack.use(lastErrorPlugin());
  return client;
}
