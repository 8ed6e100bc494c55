import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import { isThrottlingError, isTransientError } from '@smithy/core/retry';
import { UnavailableError } from './unavailable-error.ts';

/**
 * Waits for a DynamoDB call.
 *
 * @throws UnavailableError if DynamoDB failed, throttled the call or was out of reach. Invalid
 *   parameters and defects of the deployment, such as a missing permission, are thrown unchanged.
 */
export async function orUnavailable<TResult>(call: Promise<TResult>): Promise<TResult> {
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

/** True if DynamoDB refuses the parameters of a call, such as an item larger than 400 KB. */
export function isInvalid(error: unknown): boolean {
  return (
    error instanceof DynamoDBServiceException &&
    ['ValidationException', 'SerializationException'].includes(error.name)
  );
}

/**
 * True if failed work can succeed later: once DynamoDB is available, or the deployment has the
 * missing permission or table. Expects the error that `orUnavailable` throws. An error that no call
 * has thrown is a bug, and would recur.
 */
export function canSucceedLater(error: unknown): boolean {
  return (
    error instanceof UnavailableError ||
    (error instanceof DynamoDBServiceException && !isInvalid(error))
  );
}
