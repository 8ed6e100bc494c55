import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CloudWatch } from '@aws-sdk/client-cloudwatch';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { EventBridge } from '@aws-sdk/client-eventbridge';
import { Lambda } from '@aws-sdk/client-lambda';
import { marshall } from '@aws-sdk/util-dynamodb';
import { getConfig } from '../../functions/get-config/operation.ts';
import { call } from '../../packages/operator/smoke/checks.ts';
import { Cleanup, createUser } from '../../packages/operator/smoke/subject.ts';
import { PIZZA } from '../../test/support/configurations.ts';
import { command, type Deployment, until } from './deployment.ts';
import { STOPPING_ALARM } from './settings.ts';

const DEVICES = Array.from({ length: 10 }, (_, index) => `device-${index}`);

/**
 * Gives ten devices a rollout: two named ones first, then half of all, until its alarm stops it.
 * Prints what each of them gets, and how long it took to stop.
 *
 * @param isEmulated MiniStack sends no event when the state of an alarm changes.
 * @throws AssertionError
 */
export async function expectStoppedByAlarm(
  deployment: Deployment,
  isEmulated: boolean,
): Promise<void> {
  const { folder, outputs, url, print } = deployment;
  const [cloudWatch, dynamodb] = [new CloudWatch({}), new DynamoDB({})];
  const clientId = `e2e-${randomUUID()}`;
  const file = join(folder, `${clientId}.yaml`);
  const run = async (...words: string[]) => (await command(deployment, ...words)).trim();
  await using cleanup = new Cleanup(print);
  cleanup.willRemove(`the item ${clientId} in ${outputs.ConfigsTableName}`, async () => {
    await dynamodb.deleteItem({
      TableName: outputs.ConfigsTableName,
      Key: marshall({ clientId }),
    });
  });
  cleanup.willRemove(`the alarm ${STOPPING_ALARM}`, async () => {
    await cloudWatch.deleteAlarms({ AlarmNames: [STOPPING_ALARM] });
  });
  const appId = await run('clients', 'create', clientId);
  const user = await createUser(outputs, undefined, cleanup);
  const subject = { url, ...user, clientId, appId, countPromoEvents: async () => 0 };
  let printed = '';
  const answers = async () => {
    const fields = await Promise.all(
      DEVICES.map(async (device) => {
        const headers = { 'Installation-Id': device };
        const { status, text, body } = await call(subject, getConfig, { headers });
        assert.equal(status, 200, text);
        return (body.data as { fields: readonly object[] }).fields.length;
      }),
    );
    const line = `fields of ${DEVICES.length} devices: ${fields.join(' ')}`;
    if (line !== printed) print(line);
    printed = line;
    return fields;
  };
  /** Waits until functions read again, and the devices get so many fields. */
  const expectFields = (isRight: (fields: readonly number[]) => boolean) =>
    until('the devices to get their configuration', async () => isRight(await answers()));

  await run('config', 'show', clientId, file);
  const edit = async (pattern: RegExp, text: string) =>
    writeFile(file, (await readFile(file, 'utf8')).replace(pattern, text));
  const [two, three] = [PIZZA.slice(0, PIZZA.indexOf('  - id: "3"')), PIZZA].map((text) =>
    text.slice(text.indexOf('fields:')),
  );
  await edit(/^fields:.*/m, two ?? '');
  await run('config', 'publish', file, '-m', 'Two fields', '--yes');
  await expectFields((fields) => fields.every((one) => one === 2));

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
  await edit(/^fields:[\s\S]*/m, three ?? '');
  const named = DEVICES.slice(0, 2).flatMap((device) => ['--device', device]);
  const share = ['--rollout', '0', ...named, '--stop-on-alarm', STOPPING_ALARM];
  await run('config', 'publish', file, ...share, '-m', 'One field more', '--yes');
  await expectFields((all) => all.every((one, index) => one === (index < 2 ? 3 : 2)));
  await run('rollout', 'widen', clientId, '50', '-m', 'No complaints', '--yes');
  await expectFields((all) => all.slice(2).some((one) => one === 3));

  const start = performance.now();
  await setState('ALARM');
  if (isEmulated) await callByRule(outputs.Region);
  await until('the alarm to stop the rollout', async () => {
    const { Item } = await dynamodb.getItem({
      TableName: outputs.ConfigsTableName,
      Key: marshall({ clientId }),
      ConsistentRead: true,
    });
    return Item && !Item.rollout;
  });
  print(`stopped ${((performance.now() - start) / 1000).toFixed(1)} s after the alarm`);
  await expectFields((fields) => fields.every((one) => one === 2));
  const history = await run('config', 'history', clientId);
  print(history);
  assert.match(history, /alarm e2e/);
}

/**
 * Calls what the rule calls, with an event that its pattern matches. Nobody but CloudWatch can send
 * one to the bus.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/cloudwatch-and-eventbridge.html
 */
async function callByRule(region: string): Promise<void> {
  const events = new EventBridge({});
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
  await new Lambda({}).invoke({
    FunctionName: target?.Arn,
    InvocationType: 'Event',
    Payload: Event,
  });
}
