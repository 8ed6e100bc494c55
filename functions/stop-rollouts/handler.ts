import { GetItemCommand, paginateQuery } from '@aws-sdk/client-dynamodb';
import type { Context, EventBridgeEvent } from 'aws-lambda';
import { createDynamoDbClient } from '../../core/aws/dynamodb-client.ts';
import { newLastChange } from '../../core/clients/last-change.ts';
import { readClient } from '../../core/clients/read-client.ts';
import { stopRollout } from '../../core/clients/stop-rollout.ts';
import { readEnvironment } from '../../core/runtime/environment.ts';
import { logger } from '../../core/runtime/logger.ts';
import { Timeout } from '../../core/runtime/timeout.ts';
import { ROLLOUTS_BY_ALARM, stopRollouts } from '../definitions.ts';

const RESERVED_MS = 1000;

const environment = readEnvironment(stopRollouts.environment);
const dynamodb = createDynamoDbClient(environment.DYNAMODB_ENDPOINT);
const tableName = environment.CONFIGS_TABLE_NAME;

/** The part of the event that is read. */
type AlarmEvent = EventBridgeEvent<
  'CloudWatch Alarm State Change',
  { readonly alarmName: string; readonly state: { readonly value: string } }
>;

/**
 * Stops each rollout of an alarm that goes on. After an error Lambda calls it again, twice.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/cloudwatch-and-eventbridge.html
 *
 * @throws AggregateError if a rollout could not be stopped. The others are.
 */
export async function handler({ detail }: AlarmEvent, context: Context): Promise<void> {
  using timeout = new Timeout(Math.max(0, context.getRemainingTimeInMillis() - RESERVED_MS));
  const errors: unknown[] = [];
  for await (const clientId of clientsOf(detail.alarmName, timeout.signal)) {
    try {
      await stopIfRunning(clientId, detail.alarmName, timeout.signal);
    } catch (error) {
      logger.error('A rollout could not be stopped', { clientId, alarm: detail.alarmName, error });
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, 'Some rollouts could not be stopped');
}

/** Finds the clients whose rollout an alarm stops. The index may be a moment behind. */
async function* clientsOf(alarm: string, abortSignal: AbortSignal): AsyncGenerator<string> {
  const pages = paginateQuery(
    { client: dynamodb },
    {
      TableName: tableName,
      IndexName: ROLLOUTS_BY_ALARM,
      KeyConditionExpression: 'rolloutAlarm = :alarm',
      ExpressionAttributeValues: { ':alarm': { S: alarm } },
    },
    { abortSignal },
  );
  for await (const { Items = [] } of pages) {
    for (const { clientId } of Items) yield clientId?.S ?? '';
  }
}

async function stopIfRunning(
  clientId: string,
  alarm: string,
  abortSignal: AbortSignal,
): Promise<void> {
  const { Item } = await dynamodb.send(
    new GetItemCommand({
      TableName: tableName,
      Key: { clientId: { S: clientId } },
      ConsistentRead: true,
    }),
    { abortSignal },
  );
  const { rollout, lastChange } = readClient(Item ?? {});
  if (rollout?.alarm !== alarm) return;
  const reason = { by: `alarm ${alarm}`, message: 'Stop: the alarm went on' };
  const change = newLastChange(reason, lastChange);
  const key = { clientId, rolloutId: rollout.id };
  if (await stopRollout({ dynamodb, tableName }, key, change, abortSignal)) {
    logger.warn('A rollout was stopped by its alarm', { ...key, alarm });
  }
}
