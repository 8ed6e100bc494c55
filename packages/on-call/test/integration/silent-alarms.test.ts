import { startAws } from 'customer-data-api/testing/aws';
import { templateFor } from 'customer-data-api/testing/stack';
import type { Deployment } from 'customer-data-api-deployment';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { checkAlarms } from '../../doctor/deployment.ts';

const TOPIC = 'arn:aws:sns:eu-central-1:123456789012:alarms';
const ALARM_ARN = 'arn:aws:cloudwatch:eu-central-1:123456789012:alarm:';
const RECIPIENTS = { alarmRecipients: { page: [TOPIC], inform: [TOPIC] } };
const GRADUAL = { retainData: true, alarmRecipients: 'none', gradualDeployment: true };
const PAGE = 'AppsNotServed';
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
  readonly AlarmRule?: string | undefined;
}

/** Resolves a value as CloudFormation does: the name of a resource is its logical id. */
function resolved(value: unknown): unknown {
  const { Ref, ...functions } = Object(value);
  if (typeof Ref === 'string') return Ref;
  const { 'Fn::Join': join, 'Fn::GetAtt': attribute } = functions;
  if (join) return join[1].map(resolved).join(join[0]);
  if (attribute) return `${ALARM_ARN}${attribute[0]}`;
  return value;
}

/** The alarms of a stage with some settings, by their logical ids, as they are deployed. */
function deployed(settings: Readonly<Record<string, unknown>>) {
  const template = templateFor(settings).toJSON();
  const resources = Object.entries<{ Type: string; Properties: Record<string, unknown> }>(
    template.Resources,
  );
  const alarms = resources.flatMap(([id, { Type, Properties }]): [string, string, Alarm][] => {
    if (!/^AWS::CloudWatch::(Composite)?Alarm$/.test(Type)) return [];
    const { AlarmActions = [], AlarmRule } = Properties;
    const rule = AlarmRule === undefined ? undefined : String(resolved(AlarmRule));
    const actions = (AlarmActions as unknown[]).map(() => TOPIC);
    return [
      [
        id,
        Type,
        {
          AlarmName: id,
          AlarmArn: `${ALARM_ARN}${id}`,
          ActionsEnabled: true,
          AlarmActions: actions,
          AlarmRule: rule,
        },
      ],
    ];
  });
  return { template, alarms };
}

type Deployed = ReturnType<typeof deployed>;

/** Checks a stage, after somebody has changed its alarms, beside the composite alarms of others. */
async function silentAlarms(
  { template, alarms }: Deployed,
  change: (alarm: Alarm) => Alarm = (alarm) => alarm,
  others: readonly Alarm[] = [],
) {
  const members = alarms.map(
    ([id, type]) =>
      `<member><LogicalResourceId>${id}</LogicalResourceId><PhysicalResourceId>${id}</PhysicalResourceId><ResourceType>${type}</ResourceType></member>`,
  );
  const body = JSON.stringify(template).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  aws.answer({
    ListStackResources: `<StackResourceSummaries>${members.join('')}</StackResourceSummaries>`,
    GetTemplate: `<TemplateBody>${body}</TemplateBody>`,
    DescribeAlarms: ({ AlarmNames, AlarmTypes }) => {
      const found = alarms
        .map(([, , alarm]) => change(alarm))
        .concat(AlarmNames ? [] : others)
        .filter(({ AlarmName }) => !AlarmNames || Object(AlarmNames).includes(AlarmName));
      const isComposite = ({ AlarmRule }: Alarm) => AlarmRule !== undefined;
      const withMetrics = Object(AlarmTypes).includes('MetricAlarm');
      return {
        MetricAlarms: withMetrics ? found.filter((alarm) => !isComposite(alarm)) : [],
        CompositeAlarms: found.filter(isComposite),
      };
    },
    GetTopicAttributes: '<Attributes></Attributes>',
    ListSubscriptionsByTopic: `<Subscriptions><member><SubscriptionArn>${TOPIC}:1</SubscriptionArn></member></Subscriptions>`,
  });
  const results = await Array.fromAsync(checkAlarms(DEPLOYMENT));
  const [problem, ...more] = results.filter(({ status }) => status !== 'ok');
  expect(more).toEqual([]);
  return { silent: [...Object(problem?.facts?.alarms ?? [])], message: problem?.message ?? '' };
}

const isComposite = ([, type]: Deployed['alarms'][number]) => type.includes('Composite');
const idsOf = ({ alarms }: Deployed, filter: (alarm: Deployed['alarms'][number]) => boolean) =>
  alarms.filter(filter).map(([id]) => id);
const ofDeployments = (stage: Deployed) =>
  idsOf(stage, ([id]) => id.startsWith('Release') || /FailedCalls|RefusedCalls/.test(id));
const team = (AlarmName: string, AlarmRule: string, ...AlarmActions: string[]): Alarm => ({
  AlarmName,
  AlarmRule,
  AlarmActions,
  ActionsEnabled: true,
});

test.each([
  ['with gradual deployments', { ...GRADUAL, ...RECIPIENTS }],
  ['without gradual deployments', { ...RECIPIENTS, gradualDeployment: false }],
])('a stage with recipients, %s, has no silent alarm', async (_name, settings) => {
  expect(await silentAlarms(deployed(settings))).toEqual({ silent: [], message: '' });
});

test('without recipients, all alarms but those of deployments are silent, and ten are named', async () => {
  const stage = deployed(GRADUAL);
  const { silent, message } = await silentAlarms(stage);
  const used = ofDeployments(stage);
  expect(used.length).toBeGreaterThan(0);
  expect(silent.toSorted()).toEqual(idsOf(stage, ([id]) => !used.includes(id)).toSorted());
  expect(silent.filter((id) => message.includes(`${id},`) || message.includes(`${id} `))).toEqual(
    silent.slice(0, 10),
  );
});

test('an alarm whose actions are disabled is silent, whatever watches it', async () => {
  const stage = deployed({ ...GRADUAL, ...RECIPIENTS });
  for (const [id] of stage.alarms.filter((alarm) => !isComposite(alarm))) {
    const muted = (alarm: Alarm) =>
      alarm.AlarmName === id ? { ...alarm, ActionsEnabled: false } : alarm;
    expect((await silentAlarms(stage, muted)).silent).toEqual([id]);
  }
});

test('the reasons of a composite alarm that does not act are silent, too', async () => {
  const stage = deployed({ ...GRADUAL, ...RECIPIENTS });
  const [page = ''] = idsOf(stage, isComposite);
  expect(page).toContain(PAGE);
  const reasons = stage.alarms.filter(([, , { AlarmActions }]) => AlarmActions.length === 0);
  const expected = reasons.map(([id]) => id).filter((id) => !ofDeployments(stage).includes(id));
  for (const changed of [{ ActionsEnabled: false }, { AlarmActions: [] }]) {
    const change = (alarm: Alarm) => (alarm.AlarmName === page ? { ...alarm, ...changed } : alarm);
    const { silent } = await silentAlarms(stage, change);
    expect(silent.toSorted()).toEqual([...expected, page].toSorted());
  }
  expect(expected.length).toBeGreaterThan(0);
});

test('a composite alarm of another stack counts, also through a third one', async () => {
  const stage = deployed(GRADUAL);
  const [first = '', second = '', third = ''] = (await silentAlarms(stage)).silent;
  const others = [
    team('outer', 'ALARM( arn:aws:cloudwatch:eu-central-1:123456789012:alarm:inner )', TOPIC),
    team('inner', `OK("${first}") OR (NOT ALARM('${second}') AND TRUE)`),
    team('deaf', `ALARM(${third})`),
  ];
  const { silent } = await silentAlarms(stage, undefined, others);
  expect(silent).not.toContain(first);
  expect(silent).not.toContain(second);
  expect(silent).toContain(third);
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
  const { silent } = await silentAlarms({ ...stage, template });
  expect(silent.toSorted()).toEqual(ofDeployments(stage).toSorted());
});
