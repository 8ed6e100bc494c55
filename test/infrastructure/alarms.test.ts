import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import GithubSlugger from 'github-slugger';
import { describe, expect, test } from 'vitest';
import { nameOf } from '../../functions/api/operation.ts';
import { OPERATIONS } from '../../functions/operations.ts';
import { QUEUE_FUNCTION, RECORDING_FUNCTION } from '../../lib/function-names.ts';
import { checkCall } from '../support/documents/command-check.ts';
import { readDocument } from '../support/documents/document.ts';
import { stackFor, templateFor } from '../support/stack.ts';
import { faultOf, statisticOf, titleOf, type UsedMetric } from '../support/used-metrics.ts';

const TOPIC = 'arn:aws:sns:eu-central-1:123456789012:alarms';
const PAGER = 'arn:aws:sns:eu-central-1:123456789012:pager';
const FUNCTIONS = [...OPERATIONS.map(nameOf), QUEUE_FUNCTION, RECORDING_FUNCTION];
const CONCURRENCY = { GetConfig: 200, ApplyPromoCode: 100, StoreQueuedPromoEvents: 10 };

const template = templateFor({
  alarmRecipients: { page: [PAGER], inform: [TOPIC] },
  reservedConcurrency: CONCURRENCY,
  runbookUrl: 'https://example.com/runbook',
});

interface MetricOfAlarm {
  readonly Namespace: string;
  readonly MetricName: string;
  readonly Dimensions?: readonly { readonly Name: string; readonly Value: unknown }[];
}

interface StatOfAlarm {
  readonly Metric: MetricOfAlarm;
  readonly Period: number;
  readonly Stat: string;
}

const alarms = Object.values(template.findResources('AWS::CloudWatch::Alarm')).map(
  ({ Properties }) => Properties,
);
const [composite] = Object.values(template.findResources('AWS::CloudWatch::CompositeAlarm')).map(
  ({ Properties }) => Properties,
);

/** A metric that an alarm evaluates, or those of its expression. */
function metricsOf(alarm: Record<string, unknown>): UsedMetric[] {
  const inMath = (
    alarm.Metrics as { MetricStat?: { Metric: MetricOfAlarm } }[] | undefined
  )?.flatMap(({ MetricStat }) => MetricStat?.Metric ?? []);
  return (inMath ?? [alarm as unknown as MetricOfAlarm]).map(usedMetric);
}

function usedMetric({ Namespace, MetricName, Dimensions = [] }: MetricOfAlarm): UsedMetric {
  const dimensions = Object.fromEntries(Dimensions.map(({ Name, Value }) => [Name, Value]));
  return { namespace: Namespace, name: MetricName, dimensions };
}

/** The length of the periods of an alarm in seconds: all its metrics have the same. */
function periodOf({ Period, Metrics = [] }: Record<string, unknown>): number {
  const stats = (Metrics as { MetricStat?: StatOfAlarm }[]).flatMap(
    ({ MetricStat }) => MetricStat ?? [],
  );
  const [period, ...others] = new Set<unknown>(
    Period ? [Period] : stats.map((stat) => stat.Period),
  );
  expect(others).toEqual([]);
  return Number(period);
}

describe('each alarm', () => {
  test('informs when it starts and when it ends, and pages nobody', () => {
    expect(alarms.length).toBeGreaterThan(20);
    for (const { AlarmActions, OKActions } of alarms) {
      expect(AlarmActions).toEqual([TOPIC]);
      expect(OKActions).toEqual([TOPIC]);
    }
  });

  test('has a name that starts with that of the stack, and no two have the same', () => {
    const names = [...alarms, composite].map(({ AlarmName }) => AlarmName);
    for (const name of names) expect(name).toMatch(/^CustomerDataApi-test-[A-Z]\w+$/);
    expect(new Set(names).size).toBe(names.length);
  });

  test('names its stage, its meaning and the section that the runbook has for it', async () => {
    const { headings, text } = await readDocument('docs/runbook.md');
    const sections = new Map(
      [...text.matchAll(/^\| `(\w+)` \| \[.+\]\(#([\w-]+)\) \|$/gm)].map(([, name, anchor]) => [
        `CustomerDataApi-test-${name}`,
        anchor,
      ]),
    );
    const slugger = new GithubSlugger();
    const anchors = headings.map((heading) => slugger.slug(heading));
    for (const { AlarmName, AlarmDescription } of [...alarms, composite]) {
      const [, anchor] =
        /^Stage test: [A-Z].{20,}\. https:\/\/example\.com\/runbook#([\w-]+)$/.exec(
          AlarmDescription,
        ) ??
        /^Stage test: Apps are not served\. https:\/\/example\.com\/runbook#([\w-]+)$/.exec(
          AlarmDescription,
        ) ??
        [];
      expect(anchor, AlarmDescription).toBeDefined();
      expect(anchors, AlarmDescription).toContain(anchor);
      expect(anchor, AlarmDescription).toBe(sections.get(AlarmName));
    }
  });

  test('means something that no other one means, with its own threshold', () => {
    const meanings = [...alarms, composite].map(({ AlarmDescription }) =>
      AlarmDescription.replace(/ https:\S+$/, ''),
    );
    expect(new Set(meanings).size).toBe(meanings.length);
    for (const { AlarmDescription, Threshold } of alarms) {
      const percentages = [...AlarmDescription.matchAll(/(\d+) %(?: of the (\d+))?/g)].map(
        ([, percent, whole = 100]) => (Number(percent) * Number(whole)) / 100,
      );
      if (percentages.length > 0) expect(percentages, AlarmDescription).toContain(Threshold);
    }
  });

  test('names the times and percentages that its section of the runbook names', async () => {
    const { text } = await readDocument('docs/runbook.md');
    const slugger = new GithubSlugger();
    const sections = new Map(
      text.split(/^#+ /m).map((section) => {
        const [heading = ''] = section.split('\n', 1);
        return [slugger.slug(heading), section.replace(/\s+/g, ' ')];
      }),
    );
    for (const { AlarmDescription } of alarms) {
      const [meaning, anchor = ''] = AlarmDescription.split(/ https:.*#/);
      for (const [figure] of meaning.matchAll(/\b\w+ (?:minutes|hours?|%)/g)) {
        expect(sections.get(anchor), AlarmDescription).toContain(figure);
      }
    }
  });

  test('fires when its metric has been above the limit for the time that it names', () => {
    const numbers: Record<string, number> = { an: 1, three: 3, ten: 10 };
    const timed = alarms.filter(({ AlarmDescription }) => AlarmDescription.includes(': For '));
    expect(timed.length).toBeGreaterThan(5);
    for (const alarm of timed) {
      const [, number = '', unit] =
        /: For (\w+) (minute|hour)s?\b/.exec(alarm.AlarmDescription) ?? [];
      const seconds = (numbers[number] ?? Number(number)) * (unit === 'hour' ? 3600 : 60);
      expect(periodOf(alarm) * alarm.EvaluationPeriods, alarm.AlarmName).toBe(seconds);
    }
    for (const { ComparisonOperator, DatapointsToAlarm } of alarms) {
      expect([ComparisonOperator, DatapointsToAlarm]).toEqual(['GreaterThanThreshold', undefined]);
    }
  });

  test('names commands and saved queries that exist', async () => {
    const descriptions = alarms.map(({ AlarmDescription }) => AlarmDescription).join('\n');
    const commands = [...descriptions.matchAll(/"(?:npx customer-data )?([^"]+)"/g)];
    expect(commands.length).toBeGreaterThan(0);
    for (const [, command = ''] of commands) {
      // N stands for a number.
      await checkCall(['npx', 'customer-data', ...command.replace('@N', '@3').split(' ')]);
    }
    const queries = [...descriptions.matchAll(/saved query (\w+)/g)];
    expect(queries.length).toBeGreaterThan(0);
    for (const [, name] of queries) {
      const QueryDefinition = { Name: `CustomerDataApi-test/${name}` };
      template.hasResourceProperties('AWS::Logs::QueryDefinition', QueryDefinition);
    }
  });

  test('is silent while there are no requests', () => {
    for (const { TreatMissingData } of alarms) expect(TreatMissingData).toBe('notBreaching');
  });

  test('uses metrics that the functions count or AWS publishes, with their dimensions', () => {
    for (const alarm of alarms) {
      const metrics = metricsOf(alarm);
      expect(metrics.length, alarm.AlarmName).toBeGreaterThan(0);
      for (const metric of metrics)
        expect(faultOf(metric, 'test'), alarm.AlarmName).toBe(undefined);
    }
  });

  test('adds up what is counted, and takes the worst value of what is measured', () => {
    for (const { AlarmName, MetricName, Statistic, ExtendedStatistic, Metrics = [] } of alarms) {
      const inMath = (Metrics as { MetricStat?: StatOfAlarm }[]).flatMap(({ MetricStat }) =>
        MetricStat ? [[MetricStat.Metric.MetricName, MetricStat.Stat]] : [],
      );
      const single = [MetricName, Statistic ?? ExtendedStatistic];
      for (const [name, statistic] of inMath.length > 0 ? inMath : [single]) {
        expect(statistic, `${name} of ${AlarmName}`).toBe(statisticOf(name));
      }
    }
  });

  test('has at most the ten metrics and expressions that CloudWatch evaluates', () => {
    for (const { Metrics = [] } of alarms) expect(Metrics.length).toBeLessThanOrEqual(10);
  });
});

test('a metric that nobody publishes is noticed', () => {
  const ours = { namespace: 'CustomerDataApi', name: 'Responses' };
  const dimensions = { service: 'get-config', stage: 'test' };
  for (const [metric, fault] of [
    [{ ...ours, dimensions }, undefined],
    [{ ...ours, dimensions: { ...dimensions, code: 'Unauthorized' } }, undefined],
    [{ ...ours, dimensions: { ...dimensions, code: 'Unauthorised' } }, 'no code'],
    [{ ...ours, dimensions: { ...dimensions, stage: 'prod' } }, 'not of the stage'],
    [{ ...ours, dimensions: { ...dimensions, clientId: 'demo' } }, 'no dimensions'],
    [{ ...ours, name: 'UserBindingRefused', dimensions }, 'does not count'],
    [{ namespace: 'AWS/SQS', name: 'Age', dimensions: { QueueName: 'q' } }, 'no metric'],
    [
      { namespace: 'AWS/Lambda', name: 'Errors', dimensions: { Function: 'f' } },
      'other dimensions',
    ],
  ] as const) {
    if (fault) expect(faultOf(metric, 'test')).toContain(fault);
    else expect(faultOf(metric, 'test')).toBe(undefined);
  }
});

test('one composite alarm pages: calls of an operation or of the gateway fail', () => {
  template.resourceCountIs('AWS::CloudWatch::CompositeAlarm', 1);
  expect(composite).toMatchObject({
    AlarmName: 'CustomerDataApi-test-AppsNotServed',
    AlarmActions: [PAGER],
    OKActions: [PAGER],
  });
  const rule = JSON.stringify(composite?.AlarmRule);
  const named = [...rule.matchAll(/"(Alarms\w+?)(?:Availability|Errors)\w*","Arn"/g)].map(
    ([, id = '']) => id.replace(/^AlarmsStage/, ''),
  );
  expect(named).toEqual([...OPERATIONS.map(nameOf), 'Gateway']);
  expect(rule.match(/ OR /g)).toHaveLength(OPERATIONS.length);
});

test.each([
  ['AccountConcurrency', 'use more than 80 % of its concurrency.'],
  ['CallsStopped', 'no call was answered. There were at least 100 in the hour before.'],
  ['ClientLockedOut', 'A client admits nobody: every request of its apps is refused.'],
  ['ConfigsThrottled', 'throttled reads of clients.'],
  ['ConfigurationBroken', 'The apps of a client do not get all of its fields.'],
  ['GatewayErrors', 'of all calls fail.'],
  ['GatewayRefusals', 'the gateway or the web ACL has refused more than 20 % of all calls.'],
  ['GetConfigAvailability', 'of the accepted calls of GetConfig fail.'],
  ['GetConfigErrors', 'GetConfig crashes, times out or does not start.'],
  [
    'GetConfigExpiredTokens',
    'of the calls of GetConfig have an expired token: apps get no new ones.',
  ],
  ['GetConfigLatency', 'one call of GetConfig in ten has taken more than 2 s.'],
  ['GetConfigThrottles', 'Lambda refuses to run GetConfig: its concurrency is used up.'],
  ['GetConfigUnauthorized', 'of the calls of GetConfig are refused as unauthorized.'],
  ['MorePromoEventsDead', 'has more messages than a minute ago.'],
  ['NoPromoCodesApplied', 'no promo code was applied, although apps are in use.'],
  ['OtherUsers', 'because the token belongs to another user. These applications are lost.'],
  ['PipeBehind', 'promo events were stored, and the pipe sent none to the event bus.'],
  ['PipeDead', 'Their positions are in the dead-letter queue of the pipe for a day.'],
  ['PipeFailing', 'the pipe has failed to send promo events to the event bus.'],
  ['PipeThrottled', 'EventBridge has throttled the pipe.'],
  ['PromoEventsDead', 'could not be stored for three hours and wait in the dead-letter queue.'],
  ['PromoEventsFailing', 'could not be stored. They are retried for three hours.'],
  ['PromoEventsQueued', 'The table does not store promo events. They wait in the queue.'],
  ['PromoEventsThrottled', 'throttled writes of promo events.'],
  ['PromoEventsWaiting', 'and nothing tries to store them.'],
  ['StaleClients', 'old copies were served. After 15 minutes requests fail.'],
  ['VersionsLate', 'have waited for five minutes to be recorded.'],
  ['VersionsMissing', 'were skipped, or could not be recorded for twelve hours.'],
])('%s tells those on call: %s', (name, meaning) => {
  const alarm = alarms.find(({ AlarmName }) => AlarmName === `CustomerDataApi-test-${name}`);
  expect(alarm?.AlarmDescription).toContain(` ${meaning} https://`);
});

/** What an alarm measures, and above which value, in how many periods, it fires. */
const above = (limit: number, periods: string, ...metrics: string[]) =>
  `${metrics.sort().join(', ')} above ${limit} in ${periods}`;
/** A metric of every operation. */
const every = (metric: string) => OPERATIONS.map(({ folder }) => `${metric} ${folder}`);
const visible = (queue: string) => `ApproximateNumberOfMessagesVisible ${queue}`;

const LIMITS: Record<string, string> = {
  AccountConcurrency: above(
    80,
    '2 × 5 min',
    'ResourceCount Resource Lambda ConcurrentExecutions None',
  ),
  ConfigsThrottled: above(10, '2 × 5 min', 'ReadThrottleEvents TablesConfigs'),
  PromoEventsThrottled: above(10, '2 × 5 min', 'WriteThrottleEvents TablesPromoEvents'),
  GatewayErrors: above(5, '1 × 5 min', '5XXError', 'Count'),
  GatewayRefusals: above(20, '3 × 5 min', '4XXError', 'Count', ...every('ClientErrors')),
  CallsStopped: above(0, '1 × 60 min', ...every('Responses')),
  OtherUsers: above(
    10,
    '1 × 15 min',
    'UserBindingRefused apply-promo-code',
    'Responses apply-promo-code ForbiddenException',
    'Responses apply-promo-code OK',
  ),
  ClientLockedOut: above(0, '1 × 5 min', ...every('ClientLockedOut')),
  ConfigurationBroken: above(0, '1 × 5 min', 'FieldsLeftOut get-config'),
  StaleClients: above(0, '2 × 5 min', ...every('LastGoodConfigServed')),
  HarmedOutside: above(0, '1 × 1 min', 'HarmedOutside record-configuration-versions'),
  VersionsLate: above(300_000, '1 × 5 min', `IteratorAge ${RECORDING_FUNCTION}`),
  VersionsMissing: above(
    0,
    '1 × 1 min',
    'ChangeSkipped record-configuration-versions',
    visible('ConfigurationHistoryDeadLetterQueue'),
  ),
  PromoEventsQueued: above(4, '1 × 5 min', 'PromoEventQueued apply-promo-code'),
  PromoEventsWaiting: above(
    0,
    '2 × 5 min',
    'ApproximateAgeOfOldestMessage PromoEventsQueue',
    `Invocations ${QUEUE_FUNCTION}`,
  ),
  PromoEventsFailing: above(
    0,
    '3 × 5 min',
    'ServerErrors store-queued-promo-events',
    `Errors ${QUEUE_FUNCTION}`,
  ),
  PromoEventsDead: above(0, '1 × 1 min', visible('PromoEventsQueueDeadLetterQueue')),
  MorePromoEventsDead: above(
    0,
    '1 × 1 min',
    visible('PromoEventsQueueDeadLetterQueue'),
    'ApproximateNumberOfMessagesNotVisible PromoEventsQueueDeadLetterQueue',
  ),
  NoPromoCodesApplied: above(
    0,
    '3 × 60 min',
    'Responses apply-promo-code',
    'Responses apply-promo-code OK',
    'Responses get-config OK',
  ),
  PipeFailing: above(
    0,
    '3 × 5 min',
    'ExecutionFailed PromoEventsBusPipe',
    'ExecutionPartiallyFailed PromoEventsBusPipe',
    'ExecutionTimeout PromoEventsBusPipe',
  ),
  PipeThrottled: above(0, '3 × 5 min', 'ExecutionThrottled PromoEventsBusPipe'),
  PipeBehind: above(
    0,
    '3 × 5 min',
    'EventCount PromoEventsBusPipe',
    'PromoEventApplied apply-promo-code',
    'PromoEventApplied store-queued-promo-events',
    'PromoEventRepeated apply-promo-code',
    'PromoEventRepeated store-queued-promo-events',
  ),
  PipeDead: above(0, '1 × 1 min', visible('PromoEventsBusDeadLetterQueue')),
};

for (const operation of OPERATIONS) {
  const name = nameOf(operation);
  const responses = `Responses ${operation.folder}`;
  Object.assign(LIMITS, {
    [`${name}Availability`]: above(
      5,
      '1 × 5 min',
      `ServerErrors ${operation.folder}`,
      `Errors ${name}`,
      `${responses} OK`,
    ),
    [`${name}Latency`]: above(2000, '3 × 5 min', `Duration ${name}`),
    [`${name}ExpiredTokens`]: above(
      60,
      '1 × 15 min',
      responses,
      `${responses} NotAuthorizedException`,
    ),
    [`${name}Unauthorized`]: above(30, '1 × 15 min', responses, `${responses} Unauthorized`),
  });
}
for (const name of FUNCTIONS) {
  LIMITS[`${name}Errors`] = above(2, '1 × 5 min', `Errors ${name}`);
  LIMITS[`${name}Throttles`] = above(10, '1 × 5 min', `Throttles ${name}`);
}
for (const [name, reserved] of Object.entries(CONCURRENCY)) {
  const used = `ConcurrentExecutions ${name}`;
  LIMITS[`${name}Concurrency`] = above(reserved * 0.8, '2 × 5 min', used);
}

test('each alarm watches its own part of the service, with its own limit', () => {
  const limits = alarms.map((alarm) => {
    const { AlarmName, Threshold, EvaluationPeriods } = alarm;
    const periods = `${EvaluationPeriods} × ${periodOf(alarm) / 60} min`;
    const name = AlarmName.replace('CustomerDataApi-test-', '');
    return [name, above(Threshold, periods, ...metricsOf(alarm).map(titleOf))];
  });
  expect(Object.fromEntries(limits)).toEqual(LIMITS);
});

/** The expressions of an alarm, with the metrics that they name, and how long they must be above the threshold. */
function mathOf(name: string) {
  const [alarm] = alarms.filter(({ AlarmName }) => AlarmName === `CustomerDataApi-test-${name}`);
  const { Metrics = [], Threshold, EvaluationPeriods } = alarm ?? {};
  const rows: { Id: string; Expression?: string; MetricStat?: StatOfAlarm }[] = Metrics;
  const named = rows.flatMap(({ Id, MetricStat }): [string, string][] => {
    if (!MetricStat) return [];
    const { Metric, Period, Stat } = MetricStat;
    return [[Id, `${titleOf(usedMetric(Metric))} ${Stat} ${Period}`]];
  });
  return {
    expressions: rows.flatMap(({ Expression }) => Expression ?? []).sort(),
    metrics: Object.fromEntries(named),
    limit: { Threshold, EvaluationPeriods },
  };
}

describe('calls that anybody can send', () => {
  test.each([
    ['GetConfig', 'get-config'],
    ['ApplyPromoCode', 'apply-promo-code'],
  ])('do not hide that accepted calls of %s fail', (name, service) => {
    expect(mathOf(`${name}Availability`)).toEqual({
      expressions: [
        'FILL(errors, 0) + FILL(crashes, 0)',
        'FILL(ok, 0) + FILL(errors, 0) + FILL(crashes, 0)',
        'IF(FILL(part, 0) >= 3, 100 * FILL(part, 0) / whole, 0)',
      ],
      metrics: {
        ok: `Responses ${service} OK Sum 300`,
        errors: `ServerErrors ${service} Sum 300`,
        crashes: `Errors ${name} Sum 300`,
      },
      limit: { Threshold: 5, EvaluationPeriods: 1 },
    });
  });

  test('do not hide that the promo codes of users are refused', () => {
    const { expressions, metrics } = mathOf('OtherUsers');
    expect(expressions).toContain('FILL(ok, 0) + FILL(forbidden, 0)');
    expect(metrics).toEqual({
      part: 'UserBindingRefused apply-promo-code Sum 900',
      ok: 'Responses apply-promo-code OK Sum 900',
      forbidden: 'Responses apply-promo-code ForbiddenException Sum 900',
    });
  });
});

/** A metric of every operation, as an alarm names it: by its place in the list of operations. */
const ofEachOperation = (id: string, metric: string, seconds: number) =>
  Object.fromEntries(
    OPERATIONS.map(({ folder }, index) => [`${id}${index}`, `${metric} ${folder} Sum ${seconds}`]),
  );
const filled = (id: string) => OPERATIONS.map((_, index) => `FILL(${id}${index}, 0)`);

test('refusals of the gateway are the 4xx that the functions did not give', () => {
  expect(mathOf('GatewayRefusals')).toEqual({
    expressions: [
      ['FILL(refused, 0)', ...filled('ours')].join(' - '),
      'IF(FILL(part, 0) >= 50, 100 * FILL(part, 0) / whole, 0)',
    ],
    metrics: {
      whole: 'Count SampleCount 300',
      refused: '4XXError Sum 300',
      ...ofEachOperation('ours', 'ClientErrors', 300),
    },
    limit: { Threshold: 20, EvaluationPeriods: 3 },
  });
});

test('calls stopped if an hour has none of the hundred that the hour before had', () => {
  expect(mathOf('CallsStopped')).toEqual({
    expressions: [filled('answered').join(' + '), 'IF(calls == 0 AND DIFF(calls) <= -100, 1, 0)'],
    metrics: ofEachOperation('answered', 'Responses', 3600),
    limit: { Threshold: 0, EvaluationPeriods: 1 },
  });
});

test('the alarm on waiting events is silent while the function tries, and that on failing ones during a healthy drain', () => {
  const expressions = (name: string) =>
    alarms
      .filter(({ AlarmName }) => AlarmName.endsWith(name))
      .flatMap(({ Metrics }) => Metrics)
      .flatMap(({ Expression }) => Expression ?? []);
  expect(expressions('PromoEventsWaiting')).toEqual([
    'IF(age > 900 AND FILL(invocations, 0) == 0, age, 0)',
  ]);
  // In the newest point, the invocations may be missing.
  expect(mathOf('PromoEventsWaiting').limit).toEqual({ Threshold: 0, EvaluationPeriods: 2 });
  const failing = alarms.filter(({ AlarmName }) => AlarmName.endsWith('PromoEventsFailing'));
  expect(failing.flatMap(metricsOf).map(({ name }) => name)).toEqual(['ServerErrors', 'Errors']);
});

test('a dead letter that stays does not hide the next one, and showing dead letters alarms nobody', () => {
  expect(mathOf('MorePromoEventsDead')).toEqual({
    expressions: ['DIFF(FILL(visible, REPEAT) + FILL(inFlight, REPEAT))'],
    metrics: {
      visible: 'ApproximateNumberOfMessagesVisible PromoEventsQueueDeadLetterQueue Maximum 60',
      inFlight: 'ApproximateNumberOfMessagesNotVisible PromoEventsQueueDeadLetterQueue Maximum 60',
    },
    limit: { Threshold: 0, EvaluationPeriods: 1 },
  });
});

test('the concurrency of a function has no alarm unless some is reserved for it', () => {
  const names = Object.values(templateFor().findResources('AWS::CloudWatch::Alarm')).map(
    ({ Properties }) => Properties.AlarmName,
  );
  expect(names.filter((name) => name.endsWith('Concurrency'))).toEqual([
    'CustomerDataApi-test-AccountConcurrency',
  ]);
});

describe('alarm recipients', () => {
  test('of one list are paged and informed, by e-mail and by topic', () => {
    const addresses = ['ops@example.com', 'team@example.com'];
    const simple = templateFor({ alarmRecipients: [addresses[0], TOPIC, PAGER, addresses[1]] });
    const topics = Object.keys(simple.findResources('AWS::SNS::Topic'));
    expect(topics).toHaveLength(2);
    const actions = (kind: string) => [
      TOPIC,
      PAGER,
      { Ref: topics.find((topic) => topic.includes(kind)) },
    ];
    simple.allResourcesProperties('AWS::CloudWatch::Alarm', {
      AlarmActions: actions('Inform'),
      OKActions: actions('Inform'),
    });
    simple.allResourcesProperties('AWS::CloudWatch::CompositeAlarm', {
      AlarmActions: actions('Page'),
      OKActions: actions('Page'),
    });
    for (const topic of topics) {
      const endpoints = Object.values(
        simple.findResources('AWS::SNS::Subscription', {
          Properties: { Protocol: 'email', TopicArn: { Ref: topic } },
        }),
      ).map(({ Properties }) => Properties.Endpoint);
      expect(endpoints).toEqual(addresses);
    }
    simple.resourceCountIs('AWS::SNS::TopicPolicy', 2);
    simple.allResourcesProperties('AWS::SNS::TopicPolicy', {
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({
            Effect: 'Deny',
            Action: 'sns:Publish',
            Condition: { Bool: { 'aws:SecureTransport': 'false' } },
          }),
          Match.objectLike({
            Effect: 'Allow',
            Action: 'sns:Publish',
            Principal: { Service: 'cloudwatch.amazonaws.com' },
            Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
          }),
        ]),
      },
    });
  });

  test('do not exist with "none", and each synth warns', () => {
    const stack = stackFor({ retainData: true, alarmRecipients: 'none' });
    Annotations.fromStack(stack).hasWarning(
      '*',
      Match.stringLikeRegexp(
        '^Alarms .* reach nobody: alarmRecipients is "none"\\. \\[ack: customer-data-api:noAlarmRecipients',
      ),
    );
    const silent = Template.fromStack(stack);
    silent.resourceCountIs('AWS::SNS::Topic', 0);
    for (const type of ['AWS::CloudWatch::Alarm', 'AWS::CloudWatch::CompositeAlarm']) {
      silent.allResourcesProperties(type, { AlarmActions: Match.absent() });
    }
    Annotations.fromStack(stackFor({ alarmRecipients: [TOPIC] })).hasNoWarning(
      '*',
      Match.stringLikeRegexp('reach nobody'),
    );
  });
});
