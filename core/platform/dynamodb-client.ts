import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { awsClientSettings } from './aws-client-settings.ts';
import { lastErrorPlugin } from './last-error.ts';

/**
 * Middlewares of the SDK that would run in each call for nothing: there is no logger of the SDK, Lambda detects no recursion
 * through DynamoDB, and AWS counts the versions of its SDKs.
 */
const UNUSED_MIDDLEWARES = [
  'loggerMiddleware',
  'recursionDetectionMiddleware',
  'getUserAgentMiddleware',
];

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
  for (const name of UNUSED_MIDDLEWARES) client.middlewareStack.remove(name);
  client.middlewareStack.use(lastErrorPlugin());
  return client;
}
