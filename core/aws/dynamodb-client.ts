import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { awsClientSettings } from './client-settings.ts';
import { lastErrorPlugin } from './last-error-plugin.ts';

/**
 * Middlewares of the AWS SDK that only cost time here: the client has no logger, Lambda detects no
 * recursion through DynamoDB, and the user agent serves AWS's statistics.
 */
const UNUSED_MIDDLEWARES = [
  'loggerMiddleware',
  'recursionDetectionMiddleware',
  'getUserAgentMiddleware',
];

/**
 * Creates a DynamoDB client. Keys and items are in DynamoDB's JSON.
 *
 * Pass `abortSignal` with each call to limit its total time, including retries and backoff. What
 * was sent before the signal may still be done.
 *
 * @param endpoint the URL of DynamoDB, unless a variable of the AWS SDKs overrides it.
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
