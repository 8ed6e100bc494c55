import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { ROLLOUT_ATTRIBUTES } from '../configuration/rollout.ts';
import type { LastChange } from './last-change.ts';

/** A rollout of a client. */
interface RolloutKey {
  readonly clientId: string;
  readonly rolloutId: string;
}

/**
 * Removes a rollout and its candidate, if it still runs: another one that has started since stays.
 *
 * @returns false if it does not run any more.
 */
export async function stopRollout(
  { dynamodb, tableName }: { readonly dynamodb: DynamoDBClient; readonly tableName: string },
  { clientId, rolloutId }: RolloutKey,
  lastChange: LastChange,
  abortSignal?: AbortSignal,
): Promise<boolean> {
  try {
    await dynamodb.send(
      new UpdateItemCommand({
        TableName: tableName,
        Key: marshall({ clientId }),
        UpdateExpression: `SET lastChange = :lastChange REMOVE ${ROLLOUT_ATTRIBUTES.join()}`,
        ConditionExpression: 'rollout.id = :id',
        ExpressionAttributeValues: marshall({ ':lastChange': lastChange, ':id': rolloutId }),
      }),
      { ...(abortSignal && { abortSignal }) },
    );
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
