import { DynamoDBClient, DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { ServiceUnavailableError } from './errors.ts';

/**
 * The DynamoDB client of the function. Three attempts of at most 1.5 s each leave time for an answer of our own: the
 * functions have 20 s, and the gateway waits for 29.
 */
export const dynamodb = DynamoDBDocumentClient.from(
  new DynamoDBClient({
    maxAttempts: 3,
    requestHandler: {
      connectionTimeout: 1000,
      requestTimeout: 1500,
      throwOnRequestTimeout: true,
    },
  }),
  {
    marshallOptions: { removeUndefinedValues: true },
    // By default a number with more digits than JavaScript holds makes the client throw: an operator's slip in one
    // field would make the whole item unreadable.
    unmarshallOptions: { wrapNumbers: Number },
  },
);

const THROTTLED = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
]);

/**
 * Waits for a call of DynamoDB.
 *
 * @throws ServiceUnavailableError when DynamoDB could not be reached, was throttling or failed itself; other errors,
 *   such as a missing permission, are defects of the deployment and stay what they are.
 */
export async function available<TResult>(call: Promise<TResult>): Promise<TResult> {
  try {
    return await call;
  } catch (error) {
    const isDefect =
      error instanceof DynamoDBServiceException &&
      error.$fault === 'client' &&
      !THROTTLED.has(error.name);
    throw isDefect ? error : new ServiceUnavailableError({ cause: error });
  }
}
