import assert from 'node:assert/strict';
import { CloudWatchLogsClient, paginateFilterLogEvents } from '@aws-sdk/client-cloudwatch-logs';
import { nameOf } from '../../functions/api/operation.ts';
import { OPERATIONS } from '../../functions/operations.ts';
import { functionLogGroup } from '../../lib/function-log-group.ts';
import type { Deployment } from './deployment.ts';

/**
 * Checks in the logs that every function of an operation that started here had prepared its first call: it fetched the key set and
 * read from DynamoDB, each within its time limit.
 *
 * @throws AssertionError
 */
export async function expectPrepared({ stackName, print }: Deployment): Promise<void> {
  const client = new CloudWatchLogsClient();
  for (const operation of OPERATIONS) {
    const logGroupName = functionLogGroup(stackName, nameOf(operation));
    const messages: string[] = [];
    for await (const { events = [] } of paginateFilterLogEvents({ client }, { logGroupName })) {
      messages.push(...events.map(({ message = '' }) => message));
    }
    const has = (text: string) => messages.some((message) => message.includes(text));
    assert(has('App-Ids were used'), `${logGroupName} has no line of a call`);
    assert(!has('The first call was not prepared'), `${logGroupName}: ${messages.join('\n')}`);
    print(`${logGroupName}: ${messages.length} lines, and every first call was prepared`);
  }
}
