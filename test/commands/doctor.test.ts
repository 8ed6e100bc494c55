import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { diagnoseAccount } from '../../cli/doctor/before-deploy.ts';
import { customerData } from '../support/command-line.ts';
import { type Answers, startFakeAws } from '../support/fake-aws.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const doctor = (...args: readonly string[]) =>
  customerData(['doctor', '--outputs', service.outputsFile, ...args]);

describe('doctor on the local server', () => {
  test('finds nothing wrong with the examples', async () => {
    const { code, stdout, stderr } = await doctor();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /^note +permissions +Does not apply: the local server permits everything\.$/m,
    );
    expect(stdout).toMatch(/^ok +queues +There are no dead letters\.$/m);
    expect(stdout).toMatch(/^ok +clients +The configurations and keys of 2 clients are valid\.$/m);
  });

  test('names clients that admit nobody, lost their separation or have errors, and dead letters', async () => {
    const own = service.outputs.UserPoolClientId;
    const good = { fields: [], lastFieldId: 0, userPoolClientIds: [own], appIds: ['key'] };
    const clients = {
      keyless: { ...good, appIds: [] },
      tokenless: { ...good, userPoolClientIds: [] },
      open: { ...good, userPoolClientIds: undefined },
      misspelled: { ...good, userPoolClientIds: undefined, userPoolClientId: ['app'] },
      foreign: { ...good, userPoolClientIds: ['typo'] },
      partly: { ...good, userPoolClientIds: [own, 'typo'] },
      broken: { ...good, fields: [{ fieldType: 'date' }] },
      good,
    };
    for (const [clientId, item] of Object.entries(clients)) {
      await service.putConfig(JSON.parse(JSON.stringify({ clientId, ...item })));
    }
    const QueueUrl = service.outputs.PromoEventsDeadLetterQueueUrl;
    await service.sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: '{}' }));

    const { code, stdout, stderr } = await doctor();
    expect({ code, stderr }).toEqual({ code: 1, stderr: '9 problems, 0 unchecked.\n' });
    const problems = stdout.split('\n').filter((line) => line.startsWith('problem'));
    expect(problems.map((line) => line.replace(/^\w+ +/, '')).sort()).toEqual([
      expect.stringMatching(/^clients +broken has \d errors?\. See clients show broken\.$/),
      expect.stringMatching(
        /^clients +foreign admits nobody: the deployment has no app client typo\. Correct /,
      ),
      expect.stringMatching(
        /^clients +keyless admits nobody: appIds contains no string, so every request is refused; /,
      ),
      expect.stringMatching(
        /^clients +misspelled admits nobody: userPoolClientIds is missing, and userPoolClientId looks/,
      ),
      expect.stringMatching(/^clients +misspelled has 1 error\. /),
      expect.stringMatching(/^clients +open lacks userPoolClientIds: /),
      expect.stringMatching(/^clients +partly expects too many app clients: /),
      expect.stringMatching(
        /^clients +tokenless admits nobody: userPoolClientIds contains no id of an app client, /,
      ),
      expect.stringMatching(
        /^queues +The dead-letter queue has 1 promo event, not stored\. See queue show --outputs /,
      ),
    ]);
  });

  test('counts dead letters that somebody has in flight, too', async () => {
    const QueueUrl = service.outputs.PromoEventsDeadLetterQueueUrl;
    const sent = () => service.sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: '{}' }));
    const count = async () =>
      Number(/queue has (\d+) promo event/.exec((await doctor()).stdout)?.[1] ?? 0);
    const before = await count();
    await sent();
    await sent();
    await service.sqs.send(new ReceiveMessageCommand({ QueueUrl, VisibilityTimeout: 600 }));
    expect(await count()).toBe(before + 2);
  });

  test('prints a JSON document for each diagnosis', async () => {
    const { stdout } = await doctor('--json');
    const all = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(new Set(all.flatMap((one) => Object.keys(one)))).toEqual(
      new Set(['check', 'status', 'message']),
    );
  });
});

const TOPIC = 'arn:aws:sns:eu-central-1:123456789012:Alarms';
const CALLER = 'arn:aws:sts::123456789012:assumed-role/Editor/jane';
const ROLE = 'arn:aws:iam::123456789012:role/aws-reserved/Editor';

const members = (...parts: readonly string[]) =>
  parts.map((part) => `<member>${part}</member>`).join('');
const resource = (type: string, id: string, name = id) =>
  `<LogicalResourceId>${id}</LogicalResourceId><PhysicalResourceId>${name}</PhysicalResourceId><ResourceType>${type}</ResourceType><LastUpdatedTimestamp>2026-11-20T09:30:00Z</LastUpdatedTimestamp><ResourceStatus>CREATE_COMPLETE</ResourceStatus>`;
const evaluation = (action: string, decision: string) =>
  `<EvalActionName>${action}</EvalActionName><EvalDecision>${decision}</EvalDecision>`;
const subscription = (arn: string) =>
  `<SubscriptionArn>${arn}</SubscriptionArn><Endpoint>a@example.com</Endpoint>`;

/** A deployment without problems. */
const HEALTHY: Answers = {
  GetCallerIdentity: `<Arn>${CALLER}</Arn>`,
  GetRole: `<Role><Arn>${ROLE}</Arn></Role>`,
  SimulatePrincipalPolicy: `<EvaluationResults>${members(evaluation('dynamodb:GetItem', 'allowed'))}</EvaluationResults>`,
  ListStackResources: `<StackResourceSummaries>${members(
    resource('AWS::Logs::LogGroup', 'ApiLogs1234'),
    resource('AWS::CloudWatch::Alarm', 'Alarm', 'Prod-Alarm'),
  )}</StackResourceSummaries>`,
  '/account': { cloudwatchRoleArn: 'arn:aws:iam::123456789012:role/Gateway' },
  '/2016-08-19/account-settings': {
    AccountLimit: { ConcurrentExecutions: 1000, UnreservedConcurrentExecutions: 900 },
  },
  DescribeAlarms: {
    MetricAlarms: [{ AlarmName: 'Prod-Alarm', ActionsEnabled: true, AlarmActions: [TOPIC] }],
    CompositeAlarms: [],
  },
  ListSubscriptionsByTopic: `<Subscriptions>${members(subscription(`${TOPIC}:1`), subscription('PendingConfirmation'))}</Subscriptions>`,
};

describe('doctor on AWS', () => {
  let aws: Awaited<ReturnType<typeof startFakeAws>>;
  let folder: string;
  beforeAll(async () => {
    aws = await startFakeAws();
    folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
  });
  afterEach(() => vi.unstubAllEnvs());
  afterAll(async () => {
    await aws.stop();
    await rm(folder, { recursive: true });
  });

  /** The lines about the account, of a deployment whose tables and queues are those of the local server. */
  async function diagnose(changed: Answers = {}) {
    const { JwksUri, ...outputs } = service.outputs;
    const file = join(folder, 'outputs.json');
    await writeFile(file, JSON.stringify({ 'CustomerDataApi-prod': outputs }));
    aws.answer({ ...HEALTHY, ...changed });
    for (const [name, value] of Object.entries(aws.environment)) vi.stubEnv(name, value);
    const { code, stdout } = await customerData(['doctor', '--outputs', file, '--json']);
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const of = (check: string) =>
      lines
        .filter((line) => line.check === check)
        .map(({ status, message }) => `${status}: ${message}`);
    return { code, of };
  }

  test('finds nothing wrong with a healthy deployment', async () => {
    const { of } = await diagnose();
    expect(of('gateway logs')).toEqual([expect.stringMatching(/^ok: .*role\/Gateway\.$/)]);
    expect(of('concurrency')).toEqual([
      'ok: The account runs at most 1000 functions at a time, 900 of them unreserved.',
    ]);
    expect(of('alarms')).toEqual([`ok: Alarms reach 1 recipient of ${TOPIC}.`]);
    expect(of('permissions')).toContainEqual(
      'ok: You may run clients list, clients show, keys list, config pull, config diff, preview.',
    );
  });

  test('asks about all alarms of the stack, a hundred at a time, and about their topic', async () => {
    const names = Array.from({ length: 101 }, (_, index) => `Alarm${index}`);
    await diagnose({
      ListStackResources: `<StackResourceSummaries>${members(
        resource('AWS::CloudWatch::CompositeAlarm', 'Page'),
        ...names.map((name) => resource('AWS::CloudWatch::Alarm', name)),
        resource('AWS::SQS::Queue', 'Queue'),
      )}</StackResourceSummaries>`,
    });
    const asked = aws.inputsOf('DescribeAlarms');
    expect(asked.map(({ AlarmNames }) => Object(AlarmNames).length)).toEqual([100, 2]);
    expect(asked.flatMap(({ AlarmNames }) => AlarmNames)).toEqual(['Page', ...names]);
    for (const { AlarmTypes } of asked)
      expect(AlarmTypes).toEqual(['MetricAlarm', 'CompositeAlarm']);
    expect(aws.inputsOf('ListSubscriptionsByTopic')).toMatchObject([{ TopicArn: TOPIC }]);
  });

  test('asks IAM what the role of the caller may do, with each resource', async () => {
    await diagnose();
    const asked = aws.inputsOf('SimulatePrincipalPolicy');
    for (const { PolicySourceArn } of asked) expect(PolicySourceArn).toBe(ROLE);
    const { ConfigsTableName, PromoEventsBusName, Region } = service.outputs;
    const arn = (of: string, name: string) => `arn:aws:${of}:${Region}:123456789012:${name}`;
    for (const [action, resourceArn] of [
      ['dynamodb:GetItem', arn('dynamodb', `table/${ConfigsTableName}`)],
      ['events:PutEvents', arn('events', `event-bus/${PromoEventsBusName}`)],
      ['sqs:SendMessage', arn('sqs', service.outputs.PromoEventsQueueUrl.replace(/.*\//, ''))],
    ]) {
      expect(asked).toContainEqual(
        expect.objectContaining({
          'ActionNames.member.1': action,
          'ResourceArns.member.1': resourceArn,
        }),
      );
    }
  });

  test('names the commands that the caller may not run, the missing permission, and the policy with it', async () => {
    const { of } = await diagnose({
      SimulatePrincipalPolicy: `<EvaluationResults>${members(evaluation('dynamodb:UpdateItem', 'implicitDeny'))}</EvaluationResults>`,
    });
    expect(of('permissions')).toContainEqual(
      expect.stringMatching(
        /^note: You may not run clients create, .*: dynamodb:UpdateItem on arn:aws:dynamodb:.*:123456789012:table\/.* The policy Editor of the stack allows it\.$/,
      ),
    );
  });

  test('says that permissions were not checked if IAM does not say', async () => {
    const { of } = await diagnose({ SimulatePrincipalPolicy: undefined });
    expect(of('permissions')).toEqual([
      expect.stringMatching(
        /^note: .* was not checked.* iam:SimulatePrincipalPolicy on .* failed\. AccessDenied/,
      ),
    ]);
  });

  test.each<[string, Answers, string, RegExp]>([
    [
      'the gateway has no role for its logs',
      { '/account': {} },
      'gateway logs',
      /^problem: API Gateway has no role/,
    ],
    [
      'the account is new',
      {
        '/2016-08-19/account-settings': {
          AccountLimit: { ConcurrentExecutions: 10, UnreservedConcurrentExecutions: 10 },
        },
      },
      'concurrency',
      /^problem: The account runs at most 10 functions/,
    ],
    [
      'an alarm has no action',
      { DescribeAlarms: { MetricAlarms: [{ AlarmName: 'Silent', ActionsEnabled: true }] } },
      'alarms',
      /^problem: The alarm Silent notifies nobody/,
    ],
    [
      'several alarms have no action',
      {
        DescribeAlarms: {
          MetricAlarms: ['One', 'Two', 'Three'].map((AlarmName) => ({ AlarmName })),
        },
      },
      'alarms',
      /^problem: One and 2 other alarms notify nobody/,
    ],
    [
      'the actions of an alarm are off',
      {
        DescribeAlarms: {
          CompositeAlarms: [{ AlarmName: 'Off', ActionsEnabled: false, AlarmActions: [TOPIC] }],
        },
      },
      'alarms',
      /^problem: The alarm Off notifies nobody/,
    ],
    [
      'nobody has confirmed a subscription',
      {
        ListSubscriptionsByTopic: `<Subscriptions>${members(subscription('PendingConfirmation'))}</Subscriptions>`,
      },
      'alarms',
      /^problem: Nobody has confirmed a subscription to arn:/,
    ],
  ])('says that %s', async (_, changed, check, expected) => {
    const { code, of } = await diagnose(changed);
    expect(of(check)).toContainEqual(expect.stringMatching(expected));
    expect(code).toBe(1);
  });

  test('a check that AWS refuses is unchecked, and the others still run', async () => {
    const { of } = await diagnose({ DescribeAlarms: undefined, '/account': undefined });
    expect(of('alarms')).toEqual([
      expect.stringMatching(/^unchecked: cloudwatch:DescribeAlarms failed\. \w+: /),
    ]);
    expect(of('gateway logs')).toEqual([
      expect.stringMatching(/^unchecked: apigateway:GET failed\. \w+: /),
    ]);
    expect(of('concurrency')[0]).toMatch(/^ok: /);
  });

  test('a problem decides the exit code, also if something else is unchecked', async () => {
    const { code, of } = await diagnose({ DescribeAlarms: undefined, '/account': {} });
    expect(of('alarms')[0]).toMatch(/^unchecked: /);
    expect(of('gateway logs')[0]).toMatch(/^problem: /);
    expect(code).toBe(1);
  });
});

describe('doctor before the first deployment', () => {
  let aws: Awaited<ReturnType<typeof startFakeAws>>;
  beforeAll(async () => {
    aws = await startFakeAws();
  });
  afterEach(() => vi.unstubAllEnvs());
  afterAll(() => aws.stop());

  async function diagnose(stage: string, answers: Answers) {
    aws.answer(answers);
    const env = { ...aws.environment, AWS_REGION: 'us-east-1' };
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    return customerData(['doctor', '--stage', stage]);
  }

  const account = (unreserved: number) => ({
    '/2016-08-19/account-settings': {
      AccountLimit: { ConcurrentExecutions: 1000, UnreservedConcurrentExecutions: unreserved },
    },
  });
  const role = { '/account': { cloudwatchRoleArn: 'arn:aws:iam::123456789012:role/Gateway' } };

  test('a stage that would create the role for the logs is right for an account without one', async () => {
    const { code, stdout } = await diagnose('prod', { ...account(1000), '/account': {} });
    expect(stdout).toMatch(
      /^ok +gateway logs The setting gatewayLogRole is "new", as it must be\.$/m,
    );
    expect(stdout).toMatch(/^ok +concurrency +The stage reserves \d+ concurrent executions, /m);
    expect(code).toBe(0);
  });

  test('it would replace the role of an account that has one', async () => {
    const { code, stdout } = await diagnose('prod', { ...account(1000), ...role });
    expect(stdout).toMatch(
      /^problem +gateway logs API Gateway writes its logs as .*role\/Gateway, and .* Set gatewayLogRole to "existing"\.$/m,
    );
    expect(code).toBe(1);
  });

  test('a stage that relies on a role, or reserves more than the account has, would fail', async () => {
    const stages = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
    const settings = {
      ...{ retainData: false, accessLogs: true, gatewayLogRole: 'existing' },
      reservedConcurrency: { GetConfig: 500, ApplyPromoCode: 401 },
    };
    await writeFile(join(stages, 'big.json'), JSON.stringify(settings));
    await diagnose('dev', { ...account(1000), '/account': {} });
    const found = [];
    for await (const diagnosis of diagnoseAccount('big', stages)) found.push(diagnosis);
    aws.answer({ ...account(1001), '/account': {} });
    const enough = [];
    for await (const { status, message } of diagnoseAccount('big', stages)) {
      enough.push(`${status}: ${message}`);
    }
    await rm(stages, { recursive: true });
    // Lambda keeps 100, and no more.
    expect(enough.at(-1)).toMatch(/^ok: .* leaves 100 unreserved\.$/);
    expect(found).toEqual([
      {
        check: 'gateway logs',
        status: 'problem',
        message:
          'API Gateway has no role to write its logs with, so the deployment would fail. Set gatewayLogRole to "new".',
      },
      {
        check: 'concurrency',
        status: 'problem',
        message: expect.stringContaining('reserves 901 concurrent executions, which leaves 99'),
      },
    ]);
  });

  test('a stage without access logs needs no role', async () => {
    const { stdout } = await diagnose('dev', { ...account(1000), ...role });
    expect(stdout).toMatch(/^note +gateway logs The setting accessLogs is off/m);
  });

  test('an unknown stage is named, with those that exist', async () => {
    const { code, stderr } = await diagnose('live', {});
    expect(code).toBe(2);
    expect(stderr).toContain('There is no stage live. The stages are dev, prod.');
  });
});
