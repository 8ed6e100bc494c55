import { startAws } from 'customer-data-api/testing/aws';
import { templateFor } from 'customer-data-api/testing/stack';
import type { Deployment } from 'customer-data-api-deployment';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { checkAlarms } from '../../doctor/deployment.ts';

const TOPIC = 'arn:aws:sns:eu-central-1:123456789012:alarms';
const RECIPIENTS = { alarmRecipients: { page: [TOPIC], inform: [TOPIC] } };
const GRADUAL = { retainData: true, alarmRecipients: 'none', gradualDeployment: true };
const DEPLOYMENT = {
  stackName: 'CustomerDataApi-prod',
  outputs: { Region: 'eu-central-1' },
} as Deployment;

const aws = await startAws();
beforeAll(() => {
  for (const [name, value] of Object.entries(aws.environment)) vi.stubEnv(name, value);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await aws.stop();
});

interface Alarm {
  readonly AlarmName: string;
  readonly AlarmArn?: string;
  readonly ActionsEnabled: boolean;
  readonly AlarmActions: readonly unknown[];
}

/** The alarms of a stage with some settings, by their logical ids, as they are deployed. */
function deployed(settings: Readonly<Record<string, unknown>>) {
  const template = templateFor(settings).toJSON();
  const resources = Object.entries<{ Type: string; Properties: Partial<Alarm> }>(
    template.Resources,
  );
  const alarms = resources.flatMap(([id, { Type, Properties }]): [string, Alarm][] => {
    if (Type !== 'AWS::CloudWatch::Alarm') return [];
    const AlarmActions = (Properties.AlarmActions ?? []).map(() => TOPIC);
    const AlarmArn = `arn:aws:cloudwatch:eu-central-1:123456789012:alarm:${id}`;
    return [[id, { AlarmName: id, AlarmArn, ActionsEnabled: true, AlarmActions }]];
  });
  return { template, alarms };
}

type Deployed = ReturnType<typeof deployed>;

/** Checks a stage, after somebody has changed its alarms. */
async function silentAlarms(
  { template, alarms }: Deployed,
  change: (alarm: Alarm) => Alarm = (alarm) => alarm,
) {
  const members = alarms.map(
    ([id]) =>
      `<member><LogicalResourceId>${id}</LogicalResourceId><PhysicalResourceId>${id}</PhysicalResourceId><ResourceType>AWS::CloudWatch::Alarm</ResourceType></member>`,
  );
  const body = JSON.stringify(template).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  aws.answer({
    ListStackResources: `<StackResourceSummaries>${members.join('')}</StackResourceSummaries>`,
    GetTemplate: `<TemplateBody>${body}</TemplateBody>`,
    DescribeAlarms: ({ AlarmNames }) => ({
      MetricAlarms: alarms
        .map(([, alarm]) => change(alarm))
        .filter(({ AlarmName }) => Object(AlarmNames).includes(AlarmName)),
    }),
    GetTopicAttributes: '<Attributes></Attributes>',
    ListSubscriptionsByTopic: `<Subscriptions><member><SubscriptionArn>${TOPIC}:1</SubscriptionArn></member></Subscriptions>`,
  });
  const results = await Array.fromAsync(checkAlarms(DEPLOYMENT));
  const [silent, ...more] = results.filter(({ code }) => code !== 'alarmsReach');
  expect(more).toEqual([]);
  return [...Object(silent?.facts ?? { alarms: [] }).alarms];
}

const idsOf = ({ alarms }: Deployed, filter: (alarm: Deployed['alarms'][number]) => boolean) =>
  alarms.filter(filter).map(([id]) => id);
const ofDeployments = (stage: Deployed) =>
  idsOf(stage, ([id]) => id.startsWith('Release') || /FailedCalls|RefusedCalls/.test(id));
test.each([
  ['with gradual deployments', { ...GRADUAL, ...RECIPIENTS }],
  ['without gradual deployments', { ...RECIPIENTS, gradualDeployment: false }],
])('a stage with recipients, %s, has no silent alarm', async (_name, settings) => {
  expect(await silentAlarms(deployed(settings))).toEqual([]);
});

test('without recipients, all alarms but those of deployments are silent', async () => {
  const stage = deployed(GRADUAL);
  const silent = await silentAlarms(stage);
  const used = ofDeployments(stage);
  expect(used.length).toBeGreaterThan(0);
  expect(silent.toSorted()).toEqual(idsOf(stage, ([id]) => !used.includes(id)).toSorted());
});

test('an alarm whose actions are disabled is silent', async () => {
  const stage = deployed({ ...GRADUAL, ...RECIPIENTS });
  for (const [id] of stage.alarms) {
    const muted = (alarm: Alarm) =>
      alarm.AlarmName === id ? { ...alarm, ActionsEnabled: false } : alarm;
    expect(await silentAlarms(stage, muted)).toEqual([id]);
  }
});

test('alarms of deployments that do not look at them are silent', async () => {
  const stage = deployed({ ...GRADUAL, ...RECIPIENTS });
  const template = structuredClone(stage.template);
  for (const { Type, Properties } of Object.values<{ Type: string; Properties: object }>(
    template.Resources,
  )) {
    if (Type !== 'AWS::CodeDeploy::DeploymentGroup') continue;
    Object.assign(Object(Properties).AlarmConfiguration, { Enabled: false });
  }
  const silent = await silentAlarms({ ...stage, template });
  expect(silent.toSorted()).toEqual(ofDeployments(stage).toSorted());
});
