import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { isThrottlingError, isTransientError } from '@smithy/core/retry';
import { createDynamoDbClient } from './dynamodb-client.ts';
import { UnavailableError } from './unavailable-error.ts';

/**
 * Creates a DynamoDB client, as `createDynamoDbClient` does. Keys, items and values are plain JavaScript.
 *
 * @param endpoint the URL of DynamoDB, unless a variable of the SDKs moves it.
 */
export function createDocumentClient(endpoint: string): DynamoDBDocumentClient {
  return DynamoDBDocumentClient.from(createDynamoDbClient(endpoint), {
    marshallOptions: { removeUndefinedValues: true },
    // The default turns a number with more digits than a JavaScript number holds into an error: a typing error in one field
    // would make the whole item unreadable.
    unmarshallOptions: { wrapNumbers: Number },
  });
}

/**
 * Waits for a DynamoDB call.
 *
 * @throws UnavailableError when DynamoDB could not be reached in time, throttled the call or failed. Other errors, such as
 *   a missing permission, are defects of the deployment and are thrown unchanged.
 */
export async function available<TResult>(call: Promise<TResult>): Promise<TResult> {
  try {
    return await call;
  } catch (error) {
    throw isDefect(error) ? error : new UnavailableError({ cause: error });
  }
}

function isDefect(error: unknown): boolean {
  const sdkError = error as Parameters<typeof isTransientError>[0];
  return (
    error instanceof DynamoDBServiceException &&
    !isThrottlingError(sdkError) &&
    !isTransientError(sdkError)
  );
}
