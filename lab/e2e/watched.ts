import assert from 'node:assert/strict';
import { CloudWatchLogsClient, paginateFilterLogEvents } from '@aws-sdk/client-cloudwatch-logs';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { checkPromoEvents, functionLogGroup } from '../../functions/background-functions.ts';
import { awsClient, documentClient } from '../../packages/deployment/aws-clients.ts';
import { Cleanup } from '../../packages/on-call/smoke/subject.ts';
import { type Deployment, newSubject, until } from './deployment.ts';
import { application, apply, promoEventsOf } from './requests.ts';

/** The time for which the event source collects records, and a minute. */
const PATIENCE_MS = 6 * 60_000;

/**
 * Changes a stored promo event by hand, which the service never does. The check on the stream
 * reports it.
 *
 * @throws AssertionError
 */
export async function expectWatched(deployment: Deployment): Promise<void> {
  const { outputs, stackName, print } = deployment;
  await using cleanup = new Cleanup(print);
  const subject = await newSubject(deployment, cleanup);
  await apply(subject, application(subject));
  const [item] = await promoEventsOf(outputs, subject);
  assert.ok(item, 'the code was not applied');
  using client = documentClient(outputs);
  const { clientId, eventId } = item;
  await client.send(
    new UpdateCommand({
      TableName: outputs.PromoEventsTableName,
      Key: { clientId, eventId },
      UpdateExpression: 'SET #source = :source',
      ExpressionAttributeNames: { '#source': 'source' },
      ExpressionAttributeValues: { ':source': 'by hand' },
    }),
  );
  const logs = awsClient('logs', CloudWatchLogsClient, {});
  const logGroupName = functionLogGroup(stackName, checkPromoEvents.name);
  const find = async () => {
    const pages = paginateFilterLogEvents({ client: logs }, { logGroupName });
    for await (const { events = [] } of pages) {
      const lines = events.map(({ message = '' }) => message);
      if (lines.some((line) => line.includes('"changed"') && line.includes(String(clientId)))) {
        return true;
      }
    }
    return false;
  };
  await until(`a report in ${logGroupName}`, find, PATIENCE_MS);
}
