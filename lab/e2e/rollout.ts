import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CloudWatch } from '@aws-sdk/client-cloudwatch';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { EventBridge } from '@aws-sdk/client-eventbridge';
import { Lambda } from '@aws-sdk/client-lambda';
import { marshall } from '@aws-sdk/util-dynamodb';
import { awsClient } from '../../packages/deployment/aws-clients.ts';
import { Cleanup } from '../../packages/operator/smoke/subject.ts';
import { customerData } from '../../packages/operator/test/support/command-line.ts';
import { PIZZA } from '../../test/support/configurations.ts';
import { command, type Deployment, until } from './deployment.ts';
import { STOPPING_ALARM } from './settings.ts';

/**
 * Publishes a rollout, which its alarm stops, and deletes the client by hand. The history has each
 * change: the stream, its event source, the rule and both functions work together, with the
 * permissions of the stack.
 *
 * @param isEmulated MiniStack sends no event when the state of an alarm changes.
 * @throws AssertionError
 */
export async function expectStoppedByAlarm(
  deployment: Deployment,
  isEmulated: boolean,
): Promise<void> {
  const { folder, options, outputs, print } = deployment;
  const [cloudWatch, dynamodb] = [
    awsClient('cloudwatch', CloudWatch, {}),
    awsClient('dynamodb', DynamoDB, {}),
  ];
  const clientId = `e2e-${randomUUID()}`;
  const item = { TableName: outputs.ConfigsTableName, Key: marshall({ clientId }) };
  await using cleanup = new Cleanup(print);
  cleanup.willRemove(`the item ${clientId} in ${outputs.ConfigsTableName}`, async () => {
    await dynamodb.deleteItem(item);
  });
  cleanup.willRemove(`the alarm ${STOPPING_ALARM}`, async () => {
    await cloudWatch.deleteAlarms({ AlarmNames: [STOPPING_ALARM] });
  });
  await cloudWatch.putMetricAlarm({
    AlarmName: STOPPING_ALARM,
    Namespace: 'EndToEnd',
    MetricName: 'Crashes',
    Statistic: 'Sum',
    Period: 60,
    EvaluationPeriods: 1,
    Threshold: 0,
    ComparisonOperator: 'GreaterThanThreshold',
    TreatMissingData: 'notBreaching',
  });
  const setState = (StateValue: 'OK' | 'ALARM') =>
    cloudWatch.setAlarmState({ AlarmName: STOPPING_ALARM, StateValue, StateReason: 'e2e' });
  await setState('OK');
  await command(deployment, 'clients', 'create', clientId);
  const file = join(folder, `${clientId}.yaml`);
  await command(deployment, 'config', 'show', clientId, file);
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace(/^fields:.*/m, PIZZA.slice(PIZZA.indexOf('fields:'))));
  const share = ['--rollout', '50', '--stop-on-alarm', STOPPING_ALARM];
  await command(deployment, 'config', 'publish', file, ...share, '-m', 'First fields', '--yes');

  await setState('ALARM');
  if (isEmulated) await callByRule(outputs.Region);
  await until('the alarm to stop the rollout', async () => {
    const { Item } = await dynamodb.getItem({ ...item, ConsistentRead: true });
    return Item && !Item.rollout;
  });
  await dynamodb.deleteItem(item);
  const history = await until('the history', async () => {
    const { stdout } = await customerData(['config', 'history', clientId, '--json', ...options]);
    const lines = stdout.trim().split('\n');
    return lines.length >= 4 && lines;
  });
  const parts = [/"isDeleted":true/, /alarm e2e/, /First fields/, /Created/];
  for (const [index, part] of parts.entries()) assert.match(history[index] ?? '', part);
}

/**
 * Calls what the rule calls, with an event that its pattern matches. Nobody but CloudWatch can send
 * one to the bus.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/cloudwatch-and-eventbridge.html
 */
async function callByRule(region: string): Promise<void> {
  const events = awsClient('events', EventBridge, {});
  const { Rules = [] } = await events.listRules({});
  const { Name: Rule, EventPattern } =
    Rules.find(({ EventPattern = '' }) => EventPattern.includes(STOPPING_ALARM)) ?? {};
  const event = {
    version: '0',
    id: randomUUID(),
    'detail-type': 'CloudWatch Alarm State Change',
    source: 'aws.cloudwatch',
    account: '000000000000',
    time: new Date().toISOString(),
    region,
    resources: [`arn:aws:cloudwatch:${region}:000000000000:alarm:${STOPPING_ALARM}`],
    detail: {
      alarmName: STOPPING_ALARM,
      state: { value: 'ALARM', reason: 'e2e' },
      previousState: { value: 'OK' },
    },
  };
  const Event = JSON.stringify(event);
  const { Result } = await events.testEventPattern({ EventPattern, Event });
  assert.equal(Result, true, `the rule does not match the event: ${EventPattern}`);
  const quiet = JSON.stringify({ ...event, detail: { ...event.detail, state: { value: 'OK' } } });
  const other = await events.testEventPattern({ EventPattern, Event: quiet });
  assert.equal(other.Result, false, 'the rule matches an alarm that goes off');
  const { Targets: [target] = [] } = await events.listTargetsByRule({ Rule });
  await awsClient('lambda', Lambda, {}).invoke({
    FunctionName: target?.Arn,
    InvocationType: 'Event',
    Payload: Event,
  });
}
