import { ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import type { Answers } from 'customer-data-api/testing/aws';
import { PIZZA } from 'customer-data-api/testing/configurations';
import { expect, vi } from 'vitest';
import { parse } from 'yaml';
import { client as clientWithKey } from '../support/transcripts/clients.ts';
import { type Desk, STACK, scenario } from '../support/transcripts/desk.ts';

/** A client with an App-Id of its own: doctor names those that share one. */
const client = (clientId: string, changed: object = {}) =>
  clientWithKey(clientId, { appIds: new Set([`${clientId.match(/[\w-]+/)}-key`]), ...changed });

const TOPIC = 'arn:aws:sns:us-east-1:123456789012:Alarms';
/** A topic may be in another region. */
const OTHER_TOPIC = 'arn:aws:sns:eu-west-1:123456789012:Page';

const members = (...parts: readonly string[]) =>
  parts.map((part) => `<member>${part}</member>`).join('');
const resource = (type: string, id: string) =>
  `<LogicalResourceId>${id}</LogicalResourceId><PhysicalResourceId>Prod-${id}</PhysicalResourceId><ResourceType>${type}</ResourceType><LastUpdatedTimestamp>2026-11-20T09:30:00Z</LastUpdatedTimestamp><ResourceStatus>CREATE_COMPLETE</ResourceStatus>`;
const resources = (...parts: readonly string[]) =>
  `<StackResourceSummaries>${members(...parts)}</StackResourceSummaries>`;
const subscriptions = (...arns: readonly string[]) =>
  `<Subscriptions>${members(...arns.map((arn) => `<SubscriptionArn>${arn}</SubscriptionArn>`))}</Subscriptions>`;
/** A subscription of an address: its ARN, or the word that SNS has instead. */
const subscribed = (Endpoint: string, SubscriptionArn: string) =>
  `<Subscriptions>${members(`<Endpoint>${Endpoint}</Endpoint><SubscriptionArn>${SubscriptionArn}</SubscriptionArn>`)}</Subscriptions>`;
const withKey = (key: string) =>
  `<Attributes><entry><key>KmsMasterKeyId</key><value>${key}</value></entry></Attributes>`;
const alarm = (AlarmName: string, ...AlarmActions: string[]) => ({
  AlarmName,
  AlarmArn: `arn:aws:cloudwatch:us-east-1:123456789012:alarm:${AlarmName}`,
  ActionsEnabled: true,
  AlarmActions,
});
const account = (ConcurrentExecutions: number, UnreservedConcurrentExecutions: number) => ({
  AccountLimit: { ConcurrentExecutions, UnreservedConcurrentExecutions },
});

/** A deployment without problems. */
const HEALTHY: Answers = {
  ListStackResources: resources(
    resource('AWS::Logs::LogGroup', 'ApiLogs1234'),
    resource('AWS::CloudWatch::Alarm', 'Alarm'),
  ),
  '/account': { cloudwatchRoleArn: 'arn:aws:iam::123456789012:role/Gateway' },
  '/2016-08-19/account-settings': account(1000, 900),
  DescribeAlarms: { MetricAlarms: [alarm('Prod-Alarm', TOPIC)] },
  ListAlarmMuteRules: { AlarmMuteRuleSummaries: [] },
  GetTemplate: '<TemplateBody>{}</TemplateBody>',
  GetTopicAttributes: '<Attributes></Attributes>',
  ListSubscriptionsByTopic: subscriptions(`${TOPIC}:1`, 'PendingConfirmation'),
  DescribeUserPool: { UserPool: { SchemaAttributes: [] } },
};

const send = ({ service }: Desk, QueueUrl: string, count: number) =>
  Promise.all(
    Array.from({ length: count }, () =>
      service.sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: '{}' })),
    ),
  );

scenario(
  'doctor/local',
  'Clients and dead letters of the local server are checked.',
  async (desk) => {
    const { run, doctor, put, outputs } = desk;
    await run('doctor --local');
    const good = { userPoolClientIds: [outputs.UserPoolClientId] };
    const clients = {
      good,
      keyless: { ...good, appIds: [] },
      'open\u001b[31m': {},
      misspelled: { userPoolClientId: ['app'] },
      foreign: { userPoolClientIds: ['typo\u001b[31m'] },
      partly: { userPoolClientIds: [outputs.UserPoolClientId, 'one,two'] },
      broken: { ...good, fields: [{ fieldType: 'date' }] },
    };
    for (const [id, changed] of Object.entries(clients)) await put(client(id, changed));
    await send(desk, outputs.PromoEventsDeadLetterQueueUrl, 3);
    await send(desk, outputs.PromoEventsBusDeadLetterQueueUrl, 1);
    await send(desk, outputs.ConfigVersionsDeadLetterQueueUrl, 1);
    await send(desk, outputs.PromoEventsQueueUrl, 2);
    // Another command has one of them.
    const QueueUrl = outputs.PromoEventsDeadLetterQueueUrl;
    await desk.service.sqs.send(new ReceiveMessageCommand({ QueueUrl }));
    await run('doctor --local | cat');
    await doctor();
  },
);

scenario(
  'doctor/deleted-clients',
  'A client that was deleted by hand is missed, and one that a command removed is not.',
  async ({ ends, doctor, put, remove }) => {
    for (const id of ['pizza', 'pasta']) await put(client(id));
    await ends('clients remove pasta --local --yes');
    await doctor();
    await remove('pizza');
    await doctor('--local', 'clients');
    await ends('clients create pizza --local');
    await doctor();
  },
  { records: true },
);

scenario(
  'doctor/manual-edits',
  'A manual edit is reported until a publication, or until a command leaves nothing of it.',
  async ({ ends, doctor, put, outputs, note }) => {
    const [, text] = parse(PIZZA).fields;
    const edited = async (maxChars: unknown, changed: object = {}) => {
      const subFieldA = { ...text.subFieldA, maxChars };
      const fields = [{ ...text, id: '1', subFieldA }];
      const good = { userPoolClientIds: [outputs.UserPoolClientId], lastFieldId: 1 };
      await put(client('pizza', { ...good, fields, ...changed }));
    };
    await edited(8);
    await edited(9);
    note('Other commands do not settle it:');
    await ends('keys add pizza --local');
    await doctor('--local', 'clients');
    await edited('10');
    await doctor();
    await ends('config rollback pizza@2 -m Undo --local --yes', 'keys add pizza --local');
    await doctor();
    note('App-Ids are not in the configuration:');
    await edited(9, { appIds: ['another-key'] });
    await doctor('--local', 'clients');
    note('A rollback settles it, even if it only lowers lastFieldId:');
    await edited(9, { appIds: ['another-key'], lastFieldId: 20261127 });
    await ends('config rollback pizza@7 -m Lower --local --yes');
    await doctor();
  },
  { records: true },
);

const [, TEXT] = parse(PIZZA).fields;
const FIELDS = [{ ...TEXT, id: '1' }];
const CANDIDATE = [{ ...TEXT, id: '1', mandatory: false }];
const rolloutOf = (id: string, changed: object = {}) => ({
  rollout: { id, percent: 5, devices: [], fields: CANDIDATE, lastFieldId: 1, ...changed },
});

scenario(
  'doctor/rollouts-again',
  'A rollout that was stopped or finished, and runs again after a restore, is found.',
  async ({ ends, doctor, put, outputs, note }) => {
    const good = { userPoolClientIds: [outputs.UserPoolClientId], lastFieldId: 1, fields: FIELDS };
    const start = (clientId: string, rollout: string) =>
      put(client(clientId, { ...good, ...rolloutOf(rollout) }));
    for (const id of ['pizza', 'pasta']) await start(id, 'first');
    await doctor();
    await ends('rollout stop pizza -m Complaints --local --yes');
    await ends('rollout finish pasta -m "All phones" --local --yes');
    note('Another rollout is none of those that ended:');
    await start('pizza', 'second');
    await doctor();
    note('The table is restored:');
    for (const id of ['pizza', 'pasta']) await start(id, 'first');
    await doctor('--local', 'clients');
    await ends('rollout stop pizza -m Again --local --yes');
    await doctor();
  },
  { records: true },
);

scenario(
  'doctor/healthy',
  'A healthy deployment is asked about in its own region.',
  async (desk) => {
    const { run, answer, aws } = desk;
    answer(HEALTHY);
    vi.stubEnv('AWS_REGION', 'eu-north-1');
    await run(`doctor --stack ${STACK}`);
    const [found, ...others] = aws.calls.map(({ signer }) => signer);
    expect(found).toBe('test eu-north-1');
    expect(new Set(others)).toEqual(new Set(['test us-east-1', 'local us-east-1']));
  },
);

scenario(
  'doctor/problems',
  'What a deployment lacks is named, each with what to do.',
  async (desk) => {
    const { run, doctor, answer, aws, note } = desk;
    const ids = Array.from({ length: 101 }, (_, index) => `Alarm${index}`);
    const pages = {
      // In pages, and a hundred alarms at a time.
      ListStackResources: ({ NextToken }: Readonly<Record<string, unknown>>) =>
        NextToken === 'next'
          ? resources(...ids.map((id) => resource('AWS::CloudWatch::Alarm', id)))
          : `${resources(
              resource('AWS::CloudWatch::Alarm', 'Page'),
              resource('AWS::Logs::LogGroup', 'ApiLogs1234'),
            )}<NextToken>next</NextToken>`,
      DescribeAlarms: ({ NextToken, AlarmNames }: Readonly<Record<string, unknown>>) => {
        if (Object(AlarmNames).length < 100)
          return { MetricAlarms: [alarm('Last', 'arn:aws:ssm:x')] };
        return NextToken === 'next'
          ? { MetricAlarms: [alarm('Silent'), alarm('Page', OTHER_TOPIC)] }
          : {
              MetricAlarms: [{ ...alarm('Off', TOPIC), ActionsEnabled: false }],
              NextToken: 'next',
            };
      },
      ListSubscriptionsByTopic: ({ TopicArn, NextToken }: Readonly<Record<string, unknown>>) => {
        if (TopicArn === TOPIC) return subscriptions('PendingConfirmation', 'Deleted');
        return NextToken === 'next'
          ? subscriptions(`${OTHER_TOPIC}:2`)
          : `${subscriptions(`${OTHER_TOPIC}:1`)}<NextToken>next</NextToken>`;
      },
    };
    answer({ ...HEALTHY, ...pages });
    await run(`doctor --stack ${STACK}`);
    const asked = aws.inputsOf('DescribeAlarms');
    expect(asked.map(({ AlarmNames }) => Object(AlarmNames).length)).toEqual([100, 100, 2]);
    const topics = aws.calls.filter(({ operation }) => operation === 'ListSubscriptionsByTopic');
    expect(topics.map(({ signer }) => signer)).toEqual([
      'test us-east-1',
      'test eu-west-1',
      'test eu-west-1',
    ]);
    note('A stack without alarms, and one alarm without an action:');
    answer({ ...HEALTHY, ListStackResources: resources() });
    await doctor(`--stack ${STACK}`);
    // Without names, CloudWatch would return the alarms of the whole account.
    expect(aws.inputsOf('DescribeAlarms')).toEqual([]);
    answer({ ...HEALTHY, DescribeAlarms: { MetricAlarms: [alarm('Silent')] } });
    await doctor(`--stack ${STACK}`);
  },
);

scenario(
  'doctor/recipients',
  'The addresses and the topics that alarms do not reach are named.',
  async ({ doctor, answer, note }) => {
    const alarms = () => doctor(`--stack ${STACK}`, 'alarms');
    const subscription = (Endpoint: string) => ({
      Type: 'AWS::SNS::Subscription',
      Properties: { Protocol: 'email', TopicArn: { Ref: 'Page' }, Endpoint },
    });
    const [jane, joe, jim, ann] = [
      'jane@example.com',
      'joe@example.com',
      "jim+o'x@example.com",
      'ann@example.com',
    ];
    const Resources = Object.fromEntries(
      [jane, joe, jim, ann].map((address, index) => [`Address${index}`, subscription(address)]),
    );
    const topic = resource('AWS::SNS::Topic', 'Page').replace('Prod-Page', TOPIC);
    const stack = {
      ...HEALTHY,
      ListStackResources: resources(topic, resource('AWS::CloudWatch::Alarm', 'Alarm')),
      GetTemplate: `<TemplateBody>${JSON.stringify({ Resources })}</TemplateBody>`,
    };
    const list = (...all: readonly string[]) => ({
      ListSubscriptionsByTopic: all.join('').replaceAll('</Subscriptions><Subscriptions>', ''),
    });
    const arn = `${TOPIC}:1`;
    answer({ ...stack, ...list(...[jane, joe, jim, ann].map((one) => subscribed(one, arn))) });
    await alarms();
    note('One confirmed, one pending, one was forgotten, one has unsubscribed:');
    const some = [
      subscribed(jane, arn),
      subscribed(joe, 'PendingConfirmation'),
      subscribed(ann, 'Deleted'),
    ];
    answer({ ...stack, ...list(...some) });
    await alarms();
    note('The last one is subscribed again, and the others are confirmed, one in another case:');
    const others = [jane.toUpperCase(), joe, jim].map((one) => subscribed(one, arn));
    const again = [subscribed(ann, 'Deleted'), subscribed(ann, 'PendingConfirmation')];
    answer({ ...stack, ...list(...others, ...again) });
    await alarms();
    note("The topic is encrypted with AWS's own key, and with another one:");
    for (const key of ['arn:aws:kms:us-east-1:123456789012:alias/aws/sns', 'alias/alarms']) {
      answer({ ...HEALTHY, GetTopicAttributes: withKey(key) });
      await alarms();
    }
    note('A topic of another account, and one that is gone:');
    const foreign = TOPIC.replace('123456789012', '999999999999');
    answer({
      ...HEALTHY,
      GetTopicAttributes: undefined,
      ListSubscriptionsByTopic: undefined,
      DescribeAlarms: { MetricAlarms: [alarm('Prod-Alarm', foreign)] },
    });
    await alarms();
    answer({
      ...HEALTHY,
      GetTopicAttributes: { __type: 'NotFound', message: 'Topic does not exist' },
    });
    await alarms();
  },
);

const muteRule = (Name: string) => ({
  AlarmMuteRuleArn: `arn:aws:cloudwatch:us-east-1:123456789012:alarm-mute-rule:${Name}`,
  Status: 'ACTIVE',
});
const mute = (schedule: object, ...AlarmNames: string[]) => ({
  Rule: { Schedule: schedule },
  MuteTargets: { AlarmNames },
});
/** The form in which CloudWatch returns the rules. */
const MUTE_RULES: Readonly<Record<string, object>> = {
  once: mute({ Expression: 'at(2026-11-28T22:30)', Duration: 'PT2H' }, `${STACK}/BusBehind`),
  nightly: mute(
    { Expression: 'cron(0 2 * * *)', Duration: 'PT4H', Timezone: 'Europe/Berlin' },
    `${STACK}/BusDead`,
    `${STACK}/GatewayErrors`,
    'alarm-of-another-team',
  ),
  'days:1': mute(
    { Expression: 'at(2026-02-27T09:00)', Duration: 'P1DT1H30M', Timezone: 'Asia/Tokyo' },
    `${STACK}/GuaranteeBroken`,
  ),
  others: mute({ Expression: 'at(2026-11-28T22:30)', Duration: 'PT2H' }, `${STACK}-eu/BusDead`),
};

scenario(
  'doctor/muted',
  'An alarm that a mute rule silences has actions, and notifies nobody until the mute ends.',
  async ({ doctor, answer, aws }) => {
    answer({
      ...HEALTHY,
      ListAlarmMuteRules: ({ NextToken }: Readonly<Record<string, unknown>>) =>
        NextToken === 'next'
          ? { AlarmMuteRuleSummaries: ['days:1', 'others'].map(muteRule) }
          : { AlarmMuteRuleSummaries: ['once', 'nightly'].map(muteRule), NextToken: 'next' },
      GetAlarmMuteRule: ({ AlarmMuteRuleName }: Readonly<Record<string, unknown>>) => ({
        Name: AlarmMuteRuleName,
        ...MUTE_RULES[String(AlarmMuteRuleName)],
      }),
    });
    await doctor(`--stack ${STACK}`, 'mute rules');
    expect(aws.inputsOf('ListAlarmMuteRules')).toEqual([
      { Statuses: ['ACTIVE'] },
      { Statuses: ['ACTIVE'], NextToken: 'next' },
    ]);
  },
);

scenario(
  'doctor/not-permitted',
  'What AWS refuses to say is unchecked, and the rest is checked.',
  async (desk) => {
    const { run, doctor, unseen, answer } = desk;
    const refused = (...calls: string[]) =>
      answer({ ...HEALTHY, ...Object.fromEntries(calls.map((call) => [call, undefined])) });
    refused('GetTopicAttributes', 'Scan');
    await run(`doctor --stack ${STACK}`);
    refused(...Object.keys(HEALTHY), 'Scan', 'GetQueueAttributes');
    await doctor(`--stack ${STACK}`);
    refused('DescribeStacks');
    await run(`doctor --stack ${STACK}`);
    // A problem is one, also beside what is unchecked.
    answer({ ...HEALTHY, DescribeAlarms: { MetricAlarms: [alarm('Silent')] }, Scan: undefined });
    expect(await unseen(`doctor --stack ${STACK}`)).toMatchObject({ code: 1 });
    // A defect is none of AWS.
    answer({
      ...HEALTHY,
      DescribeAlarms: { MetricAlarms: [{ ...alarm('Odd'), AlarmActions: [7] }] },
    });
    await expect(unseen(`doctor --stack ${STACK}`)).rejects.toThrow(TypeError);
  },
);

scenario(
  'doctor/before-deploy',
  'An account is checked before the first deployment of a stage.',
  async (desk) => {
    const { run, doctor, answer, aws, note, write } = desk;
    const concurrency = '/2016-08-19/account-settings';
    answer({ ...HEALTHY, '/account': {} });
    await run('doctor --stage prod');
    answer(HEALTHY);
    await doctor('--stage prod', 'gateway logs');
    note('At an update, the role is that of the stage itself:');
    const Resources = { Account: { Type: 'AWS::ApiGateway::Account' } };
    const GetTemplate = `<TemplateBody>${JSON.stringify({ Resources })}</TemplateBody>`;
    answer({ ...HEALTHY, GetTemplate });
    await doctor('--stage prod', 'gateway logs');
    answer({
      ...HEALTHY,
      [concurrency]: account(10, 10),
      DescribeUserPool: { UserPool: { SchemaAttributes: [{ Name: 'custom:userId' }] } },
    });
    await doctor('--stage dev', 'attributes');
    await doctor('--stage prod', 'attributes');
    await run('doctor --stage live');
    await run('doctor --stages ours');
    await run('doctor --stage live --stages ours');
    await write('live.json', '{ "alarmRecipients": "none" }');
    await run('doctor --stage live --stages .');
    const own = { account: '123456789012', retainData: false };
    await write('live.json', JSON.stringify(own));
    await doctor('--stage live --stages .');
    note('The stage takes 5,500 requests per second on its paths:');
    for (const quota of [99, 100, 549, 550]) {
      answer({ ...HEALTHY, [concurrency]: account(quota, quota), '/account': {} });
      await doctor('--stage prod', 'concurrency');
    }
    answer(HEALTHY);
    await doctor('--stage prod --region ap-south-1');
    expect(new Set(aws.calls.map(({ signer }) => signer))).toEqual(new Set(['test ap-south-1']));
    note('Without a region in the environment:');
    vi.stubEnv('AWS_REGION', undefined);
    await run('doctor --stage prod');
    expect(aws.calls).toEqual([]);
  },
);
