import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { ServiceUnavailableError } from '../../../../functions/http/errors.ts';

/** DynamoDB as all peers call it: through the SDK's document client, as in its documentation. */
export const documentClient = DynamoDBDocumentClient.from(new DynamoDBClient({}), {
  marshallOptions: { removeUndefinedValues: true },
});

/**
 * Reports a rejected call.
 *
 * @throws ServiceUnavailableError in any case.
 */
export function throwUnavailable(cause: unknown): never {
  throw new ServiceUnavailableError({ cause });
}
