import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import { isThrottlingError, isTransientError } from '@smithy/core/retry';
import { UnavailableError } from './unavailable-error.ts';

/**
 * Waits for a DynamoDB call.
 *
 * @throws UnavailableError when DynamoDB could not be reached in time, throttled the call or
 *   failed. Its other errors are thrown unchanged: it refuses the parameters, or the deployment is
 *   defective and lacks a permission, for example.
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

/**
 * Returns whether DynamoDB refuses the parameters of a call, such as an item larger than 400 KB.
 */
export function isInvalid(error: unknown): boolean {
  return (
    error instanceof DynamoDBServiceException &&
    ['ValidationException', 'SerializationException'].includes(error.name)
  );
}

/**
 * Returns whether work that failed can succeed later: when DynamoDB is available again, or when the
 * deployment has the permission or the table that it lacks. An error that no call has thrown is one
 * of the program, which would make it again.
 *
 * @param error if a call has thrown it, what `available` made of it.
 */
export function canSucceedLater(error: unknown): boolean {
  return (
    error instanceof UnavailableError ||
    (error instanceof DynamoDBServiceException && !isInvalid(error))
  );
}
