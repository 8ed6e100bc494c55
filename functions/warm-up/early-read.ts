import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { singleAttemptPlugin } from '../../core/aws/single-attempt-plugin.ts';

/** No request can name this client: `ClientId` refuses control characters. */
export const NO_CLIENT = '\u0000';

/**
 * Makes the cheapest signed read: it finds no item and costs half a read unit. It opens the
 * connection and runs the AWS SDK's code once, which the first call would otherwise wait for. No
 * retry: when a fleet starts during an outage, each function adds a single attempt.
 *
 * @throws the AWS SDK's errors, unchanged.
 */
export async function readEarly(
  dynamodb: Pick<DynamoDBClient, 'send'>,
  tableName: string,
  abortSignal: AbortSignal,
): Promise<void> {
  const read = new GetItemCommand({ TableName: tableName, Key: { clientId: { S: NO_CLIENT } } });
  read.middlewareStack.use(singleAttemptPlugin());
  await dynamodb.send(read, { abortSignal });
}
