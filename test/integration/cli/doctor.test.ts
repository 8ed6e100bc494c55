import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { diagnoseAccount } from '../../../cli/doctor/before-deploy.ts';
import { runChecks } from '../../../cli/doctor/diagnose.ts';
import type { Outputs } from '../../../cli/outputs.ts';
import { PERMISSIONS } from '../../../lib/operator-permissions.ts';
import { customerData } from '../../support/command-line.ts';
import { type Answers, startFakeAws } from '../../support/fake-aws.ts';
import { OUTPUTS as DEPLOYMENT } from '../../support/outputs.ts';

/* What doctor asks AWS about an account, and what it makes of the answers. */

const OUTPUTS: Outputs = { ...DEPLOYMENT, Region: 'eu-central-1' };
const TOPIC = 'arn:aws:sns:eu-central-1:123456789012:Alarms';
const CALLER = 'arn:aws:sts::123456789012:assumed-role/Editor/jane';
const ROLE = 'arn:aws:iam::123456789012:role/aws-reserved/Editor';

const members = (...parts: readonly string[]) =>
  parts.map((part) => `<member>${part}</member>`).join('');
const resource = (type: string, id: string, name = id) =>
  `<LogicalResourceId>${id}</LogicalResourceId><PhysicalResourceId>${name}</PhysicalResourceId><ResourceType>${type}</ResourceType><LastUpdatedTimestamp>2026-11-20T09:30:00Z</LastUpdatedTimestamp><ResourceStatus>CREATE_COMPLETE</ResourceStatus>`;
const resources = (...parts: readonly string[]) =>
  `<StackResourceSummaries>${members(...parts)}</StackResourceSummaries>`;
const evaluation = (action: string, decision: string) =>
  `<EvalActionName>${action}</EvalActionName><EvalDecision>${decision}</EvalDecision>`;
const subscription = (arn: string) =>
  `<SubscriptionArn>${arn}</SubscriptionArn><Endpoint>a@example.com</Endpoint>`;
const subscriptions = (...arns: readonly string[]) =>
  `<Subscriptions>${members(...arns.map(subscription))}</Subscriptions>`;
const simulated = (action: string, decision: string) =>
  `<EvaluationResults>${members(evaluation(action, decision))}</EvaluationResults>`;
/** The numbers of messages that wait in the queues and that are in flight, by the URL of the queue; none by default. */
const counts =
  (messages: Readonly<Record<string, readonly [waiting: number, inFlight: number]>>) =>
  ({ QueueUrl }: Readonly<Record<string, unknown>>) => {
    const [waiting, inFlight] = messages[String(QueueUrl)] ?? [0, 0];
    return {
      Attributes: {
        ApproximateNumberOfMessages: String(waiting),
        ApproximateNumberOfMessagesNotVisible: String(inFlight),
      },
    };
  };
/** A table with clients. */
const clients = (...items: readonly Readonly<Record<string, unknown>>[]) => ({
  Items: items.map((item) => marshall(item)),
});
const CLIENT = {
  ...{ clientId: 'demo', appIds: ['key'], userPoolClientIds: [OUTPUTS.UserPoolClientId] },
  ...{ fields: [], lastFieldId: 0 },
};

/** A deployment without problems. */
const HEALTHY: Answers = {
  GetCallerIdentity: `<Arn>${CALLER}</Arn>`,
  GetRole: `<Role><Arn>${ROLE}</Arn></Role>`,
  SimulatePrincipalPolicy: simulated('dynamodb:GetItem', 'allowed'),
  ListStackResources: resources(
    resource('AWS::Logs::LogGroup', 'ApiLogs1234', 'prod/api'),
    resource('AWS::CloudWatch::Alarm', 'Alarm', 'Prod-Alarm'),
  ),
  '/account': { cloudwatchRoleArn: 'arn:aws:iam::123456789012:role/Gateway' },
  '/2016-08-19/account-settings': {
    AccountLimit: { ConcurrentExecutions: 1000, UnreservedConcurrentExecutions: 900 },
  },
  DescribeAlarms: {
    MetricAlarms: [{ AlarmName: 'Prod-Alarm', ActionsEnabled: true, AlarmActions: [TOPIC] }],
    CompositeAlarms: [],
  },
  ListSubscriptionsByTopic: subscriptions(`${TOPIC}:1`, 'PendingConfirmation'),
  GetQueueAttributes: counts({}),
  Scan: clients(CLIENT),
};

/** Answers with which AWS refuses operations. */
const refused = (operations: readonly string[]): Answers =>
  Object.fromEntries(operations.map((operation) => [operation, undefined]));

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

  /** What the command says about a deployment, if AWS answers otherwise than for a healthy one. */
  async function diagnose(changed: Answers = {}, outputs: Partial<Outputs> = {}) {
    const file = join(folder, 'outputs.json');
    await writeFile(file, JSON.stringify({ 'CustomerDataApi-prod': { ...OUTPUTS, ...outputs } }));
    aws.answer({ ...HEALTHY, ...changed });
    const env = { ...aws.environment, AWS_REGION: 'us-west-2' };
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    const { code, stdout, stderr } = await customerData(['doctor', '--outputs', file, '--json']);
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const of = (check: string) =>
      lines
        .filter((line) => line.check === check)
        .map(({ status, message }) => `${status}: ${message}`);
    return { code, stderr, of, file };
  }

  test.each<[string, Answers]>([
    ['a healthy deployment', {}],
    ['nothing, because AWS refuses it', refused(Object.keys(HEALTHY))],
    [
      'a part, because AWS refuses the rest',
      refused(['SimulatePrincipalPolicy', 'ListSubscriptionsByTopic']),
    ],
  ])('closes its connections when it has seen %s', async (_, changed) => {
    await diagnose(changed);
    expect(aws.calls).not.toEqual([]);
    // A server closes a connection that nobody uses after five seconds.
    await vi.waitFor(async () => expect(await aws.connections()).toBe(0), { interval: 5 });
  });

  test('shows its progress beside the data, and none on a terminal that shows the data', async () => {
    const { file } = await diagnose();
    const args = ['doctor', '--outputs', file];
    const piped = await customerData(args, { isTerminal: true, isPiped: true });
    expect(piped.stderr).toBe('\r\x1b[KClients checked: 1\r\x1b[K');
    expect((await customerData(args, { isTerminal: true })).stderr).toBe('');
  });

  test('colours what it finds on a terminal, and breaks its lines beside the names of the checks', async () => {
    const { file } = await diagnose({
      DescribeAlarms: undefined,
      '/account': {},
      SimulatePrincipalPolicy: undefined,
    });
    const { stdout } = await customerData(['doctor', '--outputs', file], {
      ...{ isTerminal: true, columns: 70 },
    });
    const beside = ' '.repeat(23);
    expect(stdout.split('\n')).toEqual([
      '\x1b[2mnote     \x1b[22m permissions  Which commands you may run was not checked,',
      `${beside}only what this one calls.`,
      `${beside}iam:SimulatePrincipalPolicy on`,
      `${beside}arn:aws:iam::123456789012:role/aws-reserved/Edi`,
      `${beside}tor failed. AccessDenied: You are not`,
      `${beside}authorized.`,
      '\x1b[31mproblem  \x1b[39m gateway logs API Gateway has no role to write its logs with.',
      `${beside}Set gatewayLogRole to "new" and deploy.`,
      '\x1b[32mok       \x1b[39m concurrency  The account runs at most 1000 functions at a',
      `${beside}time, 900 of them unreserved.`,
      '\x1b[33munchecked\x1b[39m alarms       cloudwatch:DescribeAlarms failed.',
      `${beside}AccessDeniedException: You are not authorized.`,
      '\x1b[32mok       \x1b[39m queues       There are no dead letters.',
      '\x1b[32mok       \x1b[39m clients      The configurations and keys of 1 client are',
      `${beside}valid.`,
      '',
    ]);
  });

  test('finds nothing wrong with a healthy deployment', async () => {
    const { code, stderr, of } = await diagnose();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(of('queues')).toEqual(['ok: There are no dead letters.']);
    expect(of('clients')).toEqual(['ok: The configurations and keys of 1 client are valid.']);
    expect(of('gateway logs')).toEqual([expect.stringMatching(/^ok: .*role\/Gateway\.$/)]);
    expect(of('concurrency')).toEqual([
      'ok: The account runs at most 1000 functions at a time, 900 of them unreserved.',
    ]);
    expect(of('alarms')).toEqual([`ok: Alarms reach 1 recipient of ${TOPIC}.`]);
    // The calls of doctor itself, of --stack and of the search for uses of a key are made by the other checks, or by none.
    const others = ['doctor', '--stack', 'keys revoke'];
    expect(of('permissions')).toEqual(
      PERMISSIONS.map(({ commands }) => commands.join(', '))
        .filter((commands) => !others.includes(commands))
        .map((commands) => `ok: You may run ${commands}.`),
    );
  });

  test('asks about all alarms of the stack, a hundred at a time, and about their topic', async () => {
    const ids = Array.from({ length: 101 }, (_, index) => `Alarm${index}`);
    const alarm = (id: string) => resource('AWS::CloudWatch::Alarm', id, `Prod-${id}`);
    await diagnose({
      // CloudFormation returns them in pages.
      ListStackResources: ({ NextToken }) =>
        NextToken === 'next'
          ? resources(...ids.map(alarm))
          : `${resources(
              resource('AWS::CloudWatch::CompositeAlarm', 'Page'),
              resource('AWS::SQS::Queue', 'Queue'),
            )}<NextToken>next</NextToken>`,
    });
    const asked = aws.inputsOf('DescribeAlarms');
    expect(asked.map(({ AlarmNames }) => Object(AlarmNames).length)).toEqual([100, 2]);
    expect(asked.flatMap(({ AlarmNames }) => AlarmNames)).toEqual([
      'Page',
      ...ids.map((id) => `Prod-${id}`),
    ]);
    for (const { AlarmTypes } of asked)
      expect(AlarmTypes).toEqual(['MetricAlarm', 'CompositeAlarm']);
    expect(aws.inputsOf('ListSubscriptionsByTopic')).toMatchObject([{ TopicArn: TOPIC }]);
    for (const { StackName } of aws.inputsOf('ListStackResources')) {
      expect(StackName).toBe('CustomerDataApi-prod');
    }
  });

  test('asks in the region of the deployment, whichever that of the environment is', async () => {
    await diagnose();
    expect([...new Set(aws.calls)].sort()).toEqual(Object.keys(HEALTHY).sort());
    expect(new Set(aws.signedBy)).toEqual(new Set([`test ${OUTPUTS.Region}`]));
  });

  test('asks about every topic of the alarms, and counts the recipients on all pages', async () => {
    // A topic may be in another region.
    const other = 'arn:aws:sns:eu-west-1:123456789012:Page';
    const { of } = await diagnose({
      DescribeAlarms: {
        MetricAlarms: [
          { AlarmName: 'One', ActionsEnabled: true, AlarmActions: [TOPIC] },
          // No topic: nobody subscribes to it.
          {
            AlarmName: 'Two',
            ActionsEnabled: true,
            AlarmActions: ['arn:aws:ssm:eu-central-1:123456789012:opsitem:1', other],
          },
        ],
      },
      ListSubscriptionsByTopic: ({ TopicArn, NextToken }) => {
        if (TopicArn === other) return subscriptions(`${other}:1`);
        return NextToken === 'next'
          ? subscriptions('Deleted', `${TOPIC}:3`)
          : `${subscriptions(`${TOPIC}:1`, `${TOPIC}:2`)}<NextToken>next</NextToken>`;
      },
    });
    expect(of('alarms')).toEqual([
      `ok: Alarms reach 3 recipients of ${TOPIC}.`,
      `ok: Alarms reach 1 recipient of ${other}.`,
    ]);
    const signers = aws.signedBy.filter((_, one) => aws.calls[one] === 'ListSubscriptionsByTopic');
    expect(signers).toEqual([...Array(2).fill('test eu-central-1'), 'test eu-west-1']);
  });

  test('reads the alarms on all pages', async () => {
    const healthy = { AlarmName: 'One', ActionsEnabled: true, AlarmActions: [TOPIC] };
    const { code, of } = await diagnose({
      DescribeAlarms: ({ NextToken }) =>
        NextToken === 'next'
          ? { MetricAlarms: [healthy, { AlarmName: 'Late', ActionsEnabled: true }] }
          : { MetricAlarms: [healthy], NextToken: 'next' },
    });
    expect(of('alarms')).toEqual([
      'problem: The alarm Late notifies nobody. Set alarmRecipients and deploy, or enable their actions.',
      `ok: Alarms reach 1 recipient of ${TOPIC}.`,
    ]);
    expect(code).toBe(1);
  });

  test.each([
    ['no log group', resources()],
    ['other log groups only', resources(resource('AWS::Logs::LogGroup', 'GetConfigLogs1234'))],
    ['something else of that name', resources(resource('AWS::S3::Bucket', 'ApiLogs1234'))],
  ])('notes that nothing is logged for a stack with %s', async (_, ListStackResources) => {
    const { of } = await diagnose({ ListStackResources }, { RetainsData: 'false' });
    expect(of('gateway logs')).toEqual([
      'note: The setting accessLogs is off: API Gateway logs nothing.',
    ]);
    expect(aws.calls).not.toContain('/account');
    // Without names, CloudWatch would return the alarms of the whole account.
    expect(aws.calls).not.toContain('DescribeAlarms');
  });

  test.each<[string, string, readonly [number, number], number, readonly unknown[]]>([
    [
      'the dead-letter queue',
      OUTPUTS.PromoEventsDeadLetterQueueUrl,
      [1, 2],
      1,
      [
        expect.stringMatching(
          /^problem: The dead-letter queue has 3 promo events, not stored\. See queue show --outputs \S+outputs\.json\.$/,
        ),
      ],
    ],
    [
      'the dead-letter queue of the bus',
      OUTPUTS.PromoEventsBusDeadLetterQueueUrl,
      [0, 1],
      1,
      [
        expect.stringMatching(
          /^problem: The event bus did not receive 1 dead letter\. See queue replay --outputs .*outputs\.json --dry-run\.$/,
        ),
      ],
    ],
    [
      'the queue',
      OUTPUTS.PromoEventsQueueUrl,
      [1, 0],
      0,
      [
        'note: In the queue, waiting to be stored: 1 promo event.',
        'ok: There are no dead letters.',
      ],
    ],
  ])('says what is in %s', async (_, url, messages, expectedCode, expected) => {
    const { code, of } = await diagnose({ GetQueueAttributes: counts({ [url]: messages }) });
    expect(of('queues')).toEqual(expected);
    expect(code).toBe(expectedCode);
  });

  test('takes a client without app clients for one that admits nobody, if the deployment requires them', async () => {
    const { userPoolClientIds, ...open } = CLIENT;
    const answers = { Scan: clients({ ...open, clientId: 'o\u001b[31m' }) };
    const separate = await diagnose(answers, { RequiresUserPoolClientIds: 'true' });
    // No terminal interprets the name.
    expect(separate.of('clients')).toContainEqual(
      expect.stringMatching(/^problem: o\\u001b\[31m admits nobody: userPoolClientIds /),
    );
    const shared = await diagnose(answers);
    // Neither does the command in the advice.
    expect(shared.of('clients')).toEqual([
      expect.stringMatching(/^problem: \S+ lacks .* clients set-app-clients o\\u001b\[31m\.$/),
    ]);
  });

  test.each([
    ['one string as App-Ids', { appIds: 'key' }, [expect.stringMatching(/^ok: /)]],
    [
      'one wrong app client of several',
      { userPoolClientIds: [OUTPUTS.UserPoolClientId, 'one,two'] },
      [
        expect.stringMatching(
          /^problem: demo expects too many app clients: .* app client one,two\. /,
        ),
        'problem: demo has 1 error. See clients show demo.',
      ],
    ],
  ])('does not say that a client with %s admits nobody', async (_, changed, expected) => {
    const { of } = await diagnose({ Scan: clients({ ...CLIENT, ...changed }) });
    expect(of('clients')).toEqual(expected);
  });

  test('no terminal interprets the app client that a client names', async () => {
    const { of } = await diagnose({
      Scan: clients({ ...CLIENT, userPoolClientIds: ['a\u001b[31m'] }),
    });
    expect(of('clients')[0]).toContain('the deployment has no app client a\\u001b[31m. ');
  });

  test('asks IAM what the role of the caller may do, with each resource', async () => {
    await diagnose();
    expect(aws.inputsOf('GetRole')).toMatchObject([{ RoleName: 'Editor' }]);
    const asked = aws.inputsOf('SimulatePrincipalPolicy');
    for (const { PolicySourceArn } of asked) expect(PolicySourceArn).toBe(ROLE);
    const arn = (of: string, name: string) =>
      `arn:aws:${of}:${OUTPUTS.Region}:123456789012:${name}`;
    const arns: Readonly<Record<string, string>> = {
      bus: arn('events', 'event-bus/bus'),
      busDeadLetterQueue: arn('sqs', 'bus-dead-letters'),
      configs: arn('dynamodb', 'table/Configs'),
      configVersions: arn('dynamodb', 'table/ConfigVersions'),
      deadLetterQueue: arn('sqs', 'dead-letters'),
      promoEvents: arn('dynamodb', 'table/PromoEvents'),
      queue: arn('sqs', 'queue'),
    };
    const expected = PERMISSIONS.flatMap(({ actions }) =>
      Object.entries(actions).flatMap(([resource, names]) =>
        // The calls of the others are made by the other checks.
        resource in arns ? [[arns[resource], ...names]] : [],
      ),
    );
    const valuesOf = (input: object, name: string) =>
      Object.entries(input).flatMap(([key, value]) => (key.startsWith(name) ? [value] : []));
    expect(
      asked.map((input) => [
        ...valuesOf(input, 'ResourceArns.'),
        ...valuesOf(input, 'ActionNames.'),
      ]),
    ).toEqual(expected);
  });

  test.each(['implicitDeny', 'explicitDeny'])(
    'names the commands that the caller may not run, the missing permission, and the policy with it: %s',
    async (decision) => {
      const { of } = await diagnose({
        SimulatePrincipalPolicy: simulated('dynamodb:UpdateItem', decision),
      });
      expect(of('permissions')).toContainEqual(
        expect.stringMatching(
          /^note: You may not run clients create, .*: dynamodb:UpdateItem on arn:aws:dynamodb:.*:123456789012:table\/.* The policy Editor of the stack allows it\.$/,
        ),
      );
    },
  );

  test('names every denied action, also if the last resource is allowed', async () => {
    const { of } = await diagnose({
      SimulatePrincipalPolicy: ({ 'ResourceArns.member.1': arn }) =>
        simulated('sqs:DeleteMessage', String(arn).endsWith(':queue') ? 'implicitDeny' : 'allowed'),
    });
    const denied = of('permissions').filter((line) => line.includes('user erase'));
    expect(denied).toEqual([
      expect.stringMatching(/^note: You may not run user erase: sqs:DeleteMessage on \S+:queue\. /),
    ]);
  });

  test('asks IAM about a user as such, and not about the root user, who may do everything', async () => {
    const user = 'arn:aws:iam::123456789012:user/jane';
    await diagnose({ GetCallerIdentity: `<Arn>${user}</Arn>`, GetRole: undefined });
    const asked = aws.inputsOf('SimulatePrincipalPolicy');
    expect(asked).not.toEqual([]);
    for (const { PolicySourceArn } of asked) expect(PolicySourceArn).toBe(user);
    const root = 'arn:aws:iam::123456789012:root';
    const { code, of } = await diagnose({ GetCallerIdentity: `<Arn>${root}</Arn>` });
    expect(of('permissions')).toEqual([
      `note: You are ${root}, who may do everything. Use a role.`,
    ]);
    expect(aws.inputsOf('SimulatePrincipalPolicy')).toEqual([]);
    expect(code).toBe(0);
  });

  test('names every denied action of a resource, and the resources of other partitions', async () => {
    const arn = 'arn:aws-us-gov:iam::123456789012:user/jane';
    const { of } = await diagnose({
      GetCallerIdentity: `<Arn>${arn}</Arn>`,
      SimulatePrincipalPolicy: `<EvaluationResults>${members(
        evaluation('dynamodb:Query', 'allowed'),
        evaluation('dynamodb:PutItem', 'implicitDeny'),
        evaluation('dynamodb:Scan', 'explicitDeny'),
      )}</EvaluationResults>`,
    });
    const table = `arn:aws-us-gov:dynamodb:${OUTPUTS.Region}:123456789012:table/PromoEvents`;
    const [line = ''] = of('permissions').filter((one) => one.includes(' promo list:'));
    expect(line).toMatch(/^note: You may not run .* The policy Viewer of the stack allows it\.$/);
    expect(line).toContain(`: dynamodb:PutItem on ${table}, dynamodb:Scan on ${table}, `);
  });

  test('a caller whom AWS does not know is unchecked, and nothing else is asked about them', async () => {
    const { code, of } = await diagnose({ GetCallerIdentity: undefined });
    expect(of('permissions')).toEqual([
      'unchecked: sts:GetCallerIdentity failed. AccessDenied: You are not authorized.',
    ]);
    expect(aws.calls).not.toContain('GetRole');
    expect(code).toBe(4);
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
      /^problem: API Gateway has no role .*\. Set gatewayLogRole to "new" and deploy\.$/,
    ],
    [
      'the account is new',
      {
        '/2016-08-19/account-settings': {
          AccountLimit: { ConcurrentExecutions: 999, UnreservedConcurrentExecutions: 10 },
        },
      },
      'concurrency',
      /^problem: The account runs at most 999 functions at a time, 10 of them unreserved; 1000 are usual\. Ask for more in Service Quotas\.$/,
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
      /^problem: One and 2 other alarms notify nobody\. Set alarmRecipients and deploy, or enable their actions\.$/,
    ],
    [
      'two alarms have no action',
      { DescribeAlarms: { MetricAlarms: [{ AlarmName: 'One' }, { AlarmName: 'Two' }] } },
      'alarms',
      /^problem: One and 1 other alarm notify nobody\. /,
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
        ListSubscriptionsByTopic: subscriptions('PendingConfirmation'),
      },
      'alarms',
      /^problem: Nobody has confirmed a subscription to arn:\S+\. Recipients must open the link in the e-mail from AWS\.$/,
    ],
  ])('says that %s', async (_, changed, check, expected) => {
    const { code, of } = await diagnose(changed);
    expect(of(check)).toContainEqual(expect.stringMatching(expected));
    expect(code).toBe(1);
  });

  test('a check that AWS refuses is unchecked, and the others still run', async () => {
    const { code, stderr, of } = await diagnose({
      DescribeAlarms: undefined,
      '/account': undefined,
    });
    expect({ code, stderr }).toEqual({
      code: 4,
      stderr: expect.stringMatching(/^0 problems, 2 unchecked\.\n/),
    });
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

  test('a defect of a check ends the command, and is not taken for a refusal', async () => {
    const defect = new TypeError('x is undefined');
    const run = async function* () {
      yield await Promise.reject(defect);
    };
    await expect(runChecks([{ name: 'broken', run }]).next()).rejects.toBe(defect);
  });
});

describe('doctor before the first deployment', () => {
  let aws: Awaited<ReturnType<typeof startFakeAws>>;
  beforeAll(async () => {
    aws = await startFakeAws();
  });
  afterEach(() => vi.unstubAllEnvs());
  afterAll(() => aws.stop());

  async function diagnose(
    stage: string,
    answers: Answers,
    region: NodeJS.ProcessEnv = { AWS_REGION: 'us-east-1' },
    ...options: readonly string[]
  ) {
    aws.answer(answers);
    const env = { ...aws.environment, ...region };
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    return customerData(['doctor', '--stage', stage, ...options]);
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
    aws.answer({ ...account(1001), ...role });
    const enough = [];
    for await (const { status, message } of diagnoseAccount('big', stages)) {
      enough.push(`${status}: ${message}`);
    }
    await rm(stages, { recursive: true });
    expect(enough[0]).toBe('ok: The setting gatewayLogRole is "existing", as it must be.');
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
        message: expect.stringMatching(
          /reserves 901 concurrent executions, which leaves 99 unreserved; Lambda keeps 100, so the deployment would fail\. Ask for more in Service Quotas, or lower reservedConcurrency\.$/,
        ),
      },
    ]);
  });

  test.each([true, false])(
    'closes its connections, also when AWS refuses to answer: %s',
    async (isAnswered) => {
      await diagnose('prod', isAnswered ? { ...account(1000), ...role } : {});
      expect(aws.calls).toHaveLength(2);
      await vi.waitFor(async () => expect(await aws.connections()).toBe(0), { interval: 5 });
    },
  );

  test('a stage without access logs needs no role', async () => {
    const { stdout } = await diagnose('dev', { ...account(1000), ...role });
    expect(stdout).toMatch(/^note +gateway logs The setting accessLogs is off/m);
  });

  test('a stage that reserves nothing needs no more than the account has', async () => {
    const { code, stdout } = await diagnose('dev', { ...account(10), ...role });
    expect(stdout).toMatch(
      /^ok +concurrency +The stage reserves 0 concurrent executions, which leaves 10 unreserved\.$/m,
    );
    expect(code).toBe(0);
  });

  test('the region is that of the option or of the environment, and without one nothing is asked', async () => {
    const answers = { ...account(1000), ...role };
    await diagnose('prod', answers, { AWS_REGION: undefined, AWS_DEFAULT_REGION: 'eu-south-1' });
    expect(new Set(aws.signedBy)).toEqual(new Set(['test eu-south-1']));
    await diagnose('prod', answers, undefined, '--region', 'ap-south-1');
    expect(new Set(aws.signedBy)).toEqual(new Set(['test ap-south-1']));
    const none = { AWS_REGION: undefined, AWS_DEFAULT_REGION: undefined };
    expect(await diagnose('prod', answers, none)).toEqual({
      ...{ code: 2, stdout: '' },
      stderr: 'The region is unknown. Name it with --region, or set AWS_REGION.\n',
    });
    expect(aws.calls).toEqual([]);
  });

  test('an unknown stage is named, with those that exist', async () => {
    const { code, stderr } = await diagnose('live', {});
    expect(code).toBe(2);
    expect(stderr).toContain('There is no stage live. The stages are dev, prod.');
  });
});
