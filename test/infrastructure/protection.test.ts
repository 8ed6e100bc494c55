import { expect, test } from 'vitest';
import { CANARY_CLIENT_ID } from '../../core/promo-events/canary.ts';
import { FUNCTION_TIMEOUT_SECONDS } from '../../core/runtime/timeout.ts';
import {
  checkPromoEvents,
  publishPromoEvents,
  recordConfigurationVersions,
  storeQueuedPromoEvents,
} from '../../functions/definitions.ts';
import { functionName, type Operation, type Resource } from '../../functions/http/operation.ts';
import { OPERATIONS } from '../../functions/operations.ts';
import type { GoldenTemplate } from './golden-template.ts';
import { EVERY_ALARM, goldenOf, VARIANTS } from './variants.ts';

/*
 * Rules of the template: what is kept, encrypted, permitted, limited and watched. The golden file
 * has the ids, whose change would replace a resource, and the settings in short.
 */

// biome-ignore lint/suspicious/noExplicitAny: each type of resource has its own properties
type Properties = any;

const STATEFUL = [
  'DynamoDB::GlobalTable',
  'SQS::Queue',
  'Cognito::UserPool',
  'Cognito::UserPoolClient',
];

const prod = goldenOf({});
const everyAlarm = goldenOf({ ...EVERY_ALARM, alarmRecipients: ['a@example.com'] });
const experiment = goldenOf(VARIANTS.experiment ?? {});

/** The resources of a type, by id. */
function resourcesOf(template: GoldenTemplate, type: string): [string, Properties][] {
  return Object.entries<Properties>(template).filter(([, { Type }]) => Type === `AWS::${type}`);
}

const propertiesOf = (template: GoldenTemplate, type: string): Record<string, Properties> =>
  Object.fromEntries(
    resourcesOf(template, type).map(([id, { Properties }]) => [id, Properties ?? {}]),
  );

/** A reference as the golden form has it. */
const ref = (id: string) => `\${${id}}`;

const nameOf = ({ AlarmName }: Properties) => AlarmName.replace(/.*\//, '');

const statements = (policy: Properties) => [policy.PolicyDocument.Statement].flat();

test.each([
  ['prod keeps', prod, 'Retain', 'RetainExceptOnCreate', true],
  ['an experiment deletes', experiment, 'Delete', 'Delete', false],
] as const)('a stage of %s its data and logs', (_, template, data, logs, isProtected) => {
  const policies = (type: string) =>
    resourcesOf(template, type).map(([id, one]) => [id, one.DeletionPolicy]);
  const stateful = STATEFUL.flatMap(policies);
  expect(stateful.length).toBeGreaterThan(9);
  expect(stateful.filter(([, policy]) => policy !== data)).toEqual([]);
  expect(
    policies('Logs::LogGroup').filter(([id, policy]) => policy !== logs && id !== 'GatewayLogs'),
  ).toEqual([]);
  for (const { Replicas } of Object.values(propertiesOf(template, 'DynamoDB::GlobalTable'))) {
    expect(Replicas[0].DeletionProtectionEnabled).toBe(isProtected);
  }
  const [pool] = Object.values(propertiesOf(template, 'Cognito::UserPool'));
  expect(pool.DeletionProtection).toBe(isProtected ? 'ACTIVE' : 'INACTIVE');
  expect(template.Stack).toMatchObject({ terminationProtection: isProtected });
  // What a deletion keeps, a replacement keeps, too.
  for (const [id, { DeletionPolicy, UpdateReplacePolicy }] of Object.entries<Properties>(template))
    expect(UpdateReplacePolicy, id).toBe(DeletionPolicy?.replace('ExceptOnCreate', ''));
});

test('tables are encrypted, can be restored, and only promo events and erasures expire', () => {
  const tables = propertiesOf(prod, 'DynamoDB::GlobalTable');
  for (const { SSESpecification, Replicas } of Object.values(tables)) {
    expect(SSESpecification).toEqual({ SSEEnabled: true, SSEType: 'KMS' });
    expect(Replicas[0].PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled).toBe(true);
  }
  const expiring = Object.entries(tables).flatMap(([id, { TimeToLiveSpecification: ttl }]) =>
    ttl?.Enabled ? [[id, ttl.AttributeName]] : [],
  );
  expect(Object.fromEntries(expiring)).toEqual({
    TablesPromoEvents: 'expiresAt',
    TablesErasures: 'expiresAt',
  });
});

test('queues are encrypted, require TLS, and keep messages for 14 days; positions in a stream for one', () => {
  const secured = Object.values(propertiesOf(prod, 'SQS::QueuePolicy')).flatMap((policy) =>
    statements(policy).flatMap(({ Effect, Principal, Condition }) =>
      Effect === 'Deny' &&
      Principal.AWS === '*' &&
      Condition.Bool['aws:SecureTransport'] === 'false'
        ? policy.Queues
        : [],
    ),
  );
  const queues = Object.entries(propertiesOf(prod, 'SQS::Queue'));
  expect(queues.length).toBeGreaterThan(3);
  for (const [id, { SqsManagedSseEnabled, MessageRetentionPeriod }] of queues) {
    const days = id === 'ConfigurationHistoryDeadLetterQueue' ? 1 : 14;
    expect([SqsManagedSseEnabled, MessageRetentionPeriod]).toEqual([true, days * 24 * 60 * 60]);
    expect(secured, id).toContain(ref(id));
  }
});

test('logs expire as the settings say', () => {
  for (const [days, template] of [
    [30, prod],
    [365, goldenOf(VARIANTS.capacity ?? {})],
  ] as const) {
    const groups = Object.values(propertiesOf(template, 'Logs::LogGroup'));
    expect(groups.length).toBeGreaterThan(6);
    expect(groups.filter(({ RetentionInDays }) => RetentionInDays !== days)).toEqual([]);
  }
});

test('apps need TLS 1.2, and neither logs of the gateway nor samples of the firewall have secrets', () => {
  for (const type of ['ApiGateway::RestApi', 'ApiGateway::DomainName']) {
    const all = Object.values(propertiesOf(everyAlarm, type));
    expect(all.map(({ SecurityPolicy }) => SecurityPolicy)).toEqual(['TLS_1_2']);
  }
  const [stage] = Object.values(propertiesOf(prod, 'ApiGateway::Stage'));
  for (const { DataTraceEnabled, LoggingLevel } of stage.MethodSettings)
    expect([DataTraceEnabled, LoggingLevel]).toEqual([false, 'ERROR']);
  const [{ DataProtectionConfig }] = Object.values(propertiesOf(prod, 'WAFv2::WebACL'));
  expect(DataProtectionConfig.DataProtections).toEqual([
    {
      Action: 'SUBSTITUTION',
      Field: {
        FieldType: 'SINGLE_HEADER',
        FieldKeys: ['authorization', 'app-id', 'device-id', 'installation-id'],
      },
    },
  ]);
});

/** The resources of grants, as the template names them. */
const ARNS: Readonly<Record<Resource, string>> = {
  configs: ref('TablesConfigs.Arn'),
  configVersions: ref('TablesConfigVersions.Arn'),
  erasures: ref('TablesErasures.Arn'),
  promoEvents: ref('TablesPromoEvents.Arn'),
  promoEventsBus: ref('PromoEventsBusEventBus.Arn'),
  promoEventsBusDeadLetterQueue: ref('PromoEventsBusDeadLetterQueue.Arn'),
  promoEventsQueue: ref('PromoEventsQueue.Arn'),
};

const READ_QUEUE = [
  'sqs:ChangeMessageVisibility',
  'sqs:DeleteMessage',
  'sqs:GetQueueAttributes',
  'sqs:GetQueueUrl',
  'sqs:ReceiveMessage',
];
const READ_STREAM = [
  'dynamodb:DescribeStream',
  'dynamodb:GetRecords',
  'dynamodb:GetShardIterator',
  'dynamodb:ListStreams',
];

/** Calls that Lambda itself makes with the role of a function that reads a queue or a stream. */
const OF_SOURCE: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  [storeQueuedPromoEvents.name]: {
    [ref('PromoEventsQueue.Arn')]: READ_QUEUE,
  },
  [publishPromoEvents.name]: {
    [ref('PromoEventsBusQueue.Arn')]: READ_QUEUE,
    [ref('TablesPromoEvents.StreamArn')]: READ_STREAM,
  },
  [recordConfigurationVersions.name]: {
    [ref('ConfigurationHistoryDeadLetterQueue.Arn')]: ['sqs:SendMessage'],
    [ref('TablesConfigs.StreamArn')]: READ_STREAM,
  },
};

const DEFINITIONS: readonly (readonly [
  name: string,
  Pick<Operation, 'folder' | 'grants' | 'environment'>,
])[] = [
  ...OPERATIONS.map((operation) => [functionName(operation), operation] as const),
  [storeQueuedPromoEvents.name, storeQueuedPromoEvents],
  [publishPromoEvents.name, publishPromoEvents],
  [recordConfigurationVersions.name, recordConfigurationVersions],
];

/** The actions of the role of a function, by resource. */
function grantsOf(role: string): Record<string, readonly string[]> {
  const policies = Object.values(propertiesOf(prod, 'IAM::Policy')).filter(({ Roles }) =>
    Roles.includes(ref(role)),
  );
  const all = policies.flatMap(statements);
  return Object.fromEntries(
    all.flatMap(({ Resource, Action }) =>
      [Resource].flat().map((one) => [one, [Action].flat().sort()]),
    ),
  );
}

test.each(DEFINITIONS)(
  'the role of %s grants its calls on its resources, and no others',
  (name, { grants }) => {
    const own = Object.entries(grants).map(([resource, actions]) => [
      ARNS[resource as Resource],
      [...actions].sort(),
    ]);
    expect(grantsOf(`${name}Role`)).toEqual({
      [ref(`${name}Logs.Arn`)]: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      '*': ['xray:PutTelemetryRecords', 'xray:PutTraceSegments'],
      ...Object.fromEntries(own),
      ...OF_SOURCE[name],
    });
  },
);

test('no operator may send to the bus, or purge a queue', () => {
  const policies = Object.values(propertiesOf(prod, 'IAM::ManagedPolicy')).flatMap(statements);
  const actions = policies.flatMap(({ Action }) => Action);
  expect(actions).toContain('sqs:StartMessageMoveTask');
  for (const action of ['events:PutEvents', 'sqs:PurgeQueue']) {
    expect(actions).not.toContain(action);
  }
});

const RESOURCE_OF = {
  CONFIGS_TABLE_NAME: 'TablesConfigs',
  CONFIG_VERSIONS_TABLE_NAME: 'TablesConfigVersions',
  ERASURES_TABLE_NAME: 'TablesErasures',
  PROMO_EVENTS_TABLE_NAME: 'TablesPromoEvents',
  PROMO_EVENTS_BUS_DEAD_LETTER_QUEUE_URL: 'PromoEventsBusDeadLetterQueue',
  PROMO_EVENTS_BUS_NAME: 'PromoEventsBusEventBus',
  PROMO_EVENTS_QUEUE_URL: 'PromoEventsQueue',
};

test.each(DEFINITIONS)('%s has its variables, limits and logs', (name, { environment, folder }) => {
  const settings = {
    memoryMegabytes: 2048,
    reservedConcurrency: Object.fromEntries(DEFINITIONS.map(([id], n) => [id, n + 10])),
  };
  const template = goldenOf(settings);
  const [{ Environment, ...properties }] = [propertiesOf(template, 'Lambda::Function')[name]];
  expect(properties).toMatchObject({
    Timeout: FUNCTION_TIMEOUT_SECONDS,
    MemorySize: 2048,
    ReservedConcurrentExecutions: settings.reservedConcurrency[name],
    Role: ref(`${name}Role.Arn`),
    LoggingConfig: { LogGroup: ref(`${name}Logs`), LogFormat: 'JSON' },
    TracingConfig: { Mode: 'Active' },
  });
  // The gateway waits no longer than 29 s.
  expect(properties.Timeout).toBeLessThan(29);
  const { Variables } = Environment;
  expect(Object.keys(Variables)).toEqual(expect.arrayContaining([...environment]));
  expect(Variables).toMatchObject(
    Object.fromEntries(
      Object.entries(RESOURCE_OF).flatMap(([variable, id]) =>
        variable in Variables ? [[variable, ref(id)]] : [],
      ),
    ),
  );
  // Alarms and graphs ask for this dimension.
  expect(Variables.POWERTOOLS_SERVICE_NAME).toBe(folder);
});

test('changes and promo events are read from the beginning, and what fails is set aside alone', () => {
  const sources = Object.values(propertiesOf(prod, 'Lambda::EventSourceMapping'));
  const ofQueues = sources.filter((source) => 'ScalingConfig' in source);
  const ofStream = (table: string) =>
    sources.filter(({ EventSourceArn }) => EventSourceArn === ref(`${table}.StreamArn`));
  const [ofConfigs] = ofStream('TablesConfigs');
  const ofPromoEvents = ofStream('TablesPromoEvents');
  const ofChecks = ofPromoEvents.find(
    ({ FunctionName }) => FunctionName === ref('CheckPromoEvents'),
  );
  const [publishing, ...others] = ofPromoEvents.filter((source) => source !== ofChecks);
  expect(others).toEqual([]);
  // A stream keeps a record for 24 hours.
  const [soon, late] = [6 * 60 * 60, 24 * 60 * 60];
  for (const { MaximumRecordAgeInSeconds } of [ofConfigs, ofChecks]) {
    expect(MaximumRecordAgeInSeconds).toBeGreaterThan(soon);
    expect(MaximumRecordAgeInSeconds).toBeLessThan(late);
  }
  for (const source of [ofConfigs, publishing]) {
    expect(source).toMatchObject({
      StartingPosition: 'TRIM_HORIZON',
      BisectBatchOnFunctionError: true,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    });
  }
  // What was done to a restored table, before it was in use, breaks no guarantee.
  expect(ofChecks).toMatchObject({
    StartingPosition: 'LATEST',
    FunctionResponseTypes: ['ReportBatchItemFailures'],
  });
  expect(ofConfigs.DestinationConfig.OnFailure).toEqual({
    Destination: ref('ConfigurationHistoryDeadLetterQueue.Arn'),
  });
  // A function that cannot run loses no event for as long as the stream keeps it.
  for (const limit of ['MaximumRecordAgeInSeconds', 'MaximumRetryAttempts', 'DestinationConfig']) {
    expect(publishing).not.toHaveProperty(limit);
  }
  expect(ofQueues).toHaveLength(2);
  for (const source of ofQueues) {
    expect(source).toMatchObject({
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: expect.any(Number) },
    });
  }
  // Only what is stored for the first time is news, and not what an old canary applied.
  expect(publishing.FilterCriteria.Filters).toEqual([
    {
      Pattern: {
        eventName: ['INSERT'],
        dynamodb: { Keys: { clientId: { S: [{ 'anything-but': [CANARY_CLIENT_ID] }] } } },
      },
    },
  ]);
});

test('the firewall stops floods by App-Id and address, and no app for its body or User-Agent', () => {
  const rateLimits = { perAddress: 500, perAddressAndAppId: 40 };
  const template = goldenOf({ rateLimits });
  const [{ Rules, DefaultAction }] = Object.values(propertiesOf(template, 'WAFv2::WebACL'));
  expect(DefaultAction).toEqual({ Allow: {} });
  const limits = Rules.flatMap(({ Action, Statement: { RateBasedStatement: rate } }: Properties) =>
    rate && Action.Block ? [[rate.AggregateKeyType, rate.Limit]] : [],
  );
  expect(limits).toEqual([
    ['CUSTOM_KEYS', 40],
    ['IP', 500],
  ]);
  const managed = Rules.flatMap(({ OverrideAction, Statement }: Properties) => {
    const group = Statement.ManagedRuleGroupStatement;
    const counted = group?.RuleActionOverrides.map(({ Name }: Properties) => Name);
    return group ? [[group.Name, OverrideAction.Count ? 'all' : counted]] : [];
  });
  expect(Object.fromEntries(managed)).toEqual({
    AWSManagedRulesCommonRuleSet: ['SizeRestrictions_BODY', 'NoUserAgent_HEADER'],
    AWSManagedRulesKnownBadInputsRuleSet: [],
    AWSManagedRulesAmazonIpReputationList: 'all',
  });
  const [association] = Object.values(propertiesOf(template, 'WAFv2::WebACLAssociation'));
  expect(association).toEqual({
    WebACLArn: ref('WebAcl.Arn'),
    ResourceArn: expect.stringMatching(
      /\/restapis\/\$\{Api\}\/stages\/\$\{ApiDeploymentStage\w+\}$/,
    ),
  });
});

test('the limits of an operation are those of the settings', () => {
  const throttling = {
    getConfig: { requestsPerSecond: 7, burst: 8 },
    default: { requestsPerSecond: 9, burst: 10 },
  };
  const [{ MethodSettings }] = Object.values(
    propertiesOf(goldenOf({ throttling }), 'ApiGateway::Stage'),
  );
  const limits = MethodSettings.map((one: Properties) => [
    one.ResourcePath,
    one.ThrottlingRateLimit,
    one.ThrottlingBurstLimit,
  ]);
  expect(limits).toContainEqual(['/*', 9, 10]);
  expect(limits).toContainEqual(['/~1customData~1getConfig', 7, 8]);
});

test('errors of the gateway are those of the table in the documents', () => {
  const all = Object.values(propertiesOf(prod, 'ApiGateway::GatewayResponse'));
  const statuses = all.map(({ ResponseType, StatusCode }) => [ResponseType, Number(StatusCode)]);
  const notFound = [
    'MISSING_AUTHENTICATION_TOKEN',
    'INVALID_SIGNATURE',
    'EXPIRED_TOKEN',
    'RESOURCE_NOT_FOUND',
  ];
  expect(Object.fromEntries(statuses)).toEqual({
    ...Object.fromEntries(notFound.map((type) => [type, 404])),
    UNSUPPORTED_MEDIA_TYPE: 415,
    REQUEST_TOO_LARGE: 413,
    THROTTLED: 429,
    QUOTA_EXCEEDED: 429,
    WAF_FILTERED: 403,
    INTEGRATION_FAILURE: 500,
    INTEGRATION_TIMEOUT: 500,
    DEFAULT_4XX: 400,
    DEFAULT_5XX: 500,
  });
});

test('a new version gets a tenth of the calls first, and goes back if its alarms are on', () => {
  const groups = Object.entries(propertiesOf(prod, 'CodeDeploy::DeploymentGroup'));
  const aliases = resourcesOf(prod, 'Lambda::Alias');
  expect(groups.length).toBe(DEFINITIONS.length);
  expect(aliases.length).toBe(groups.length);
  for (const [id, group] of groups) {
    expect(group.DeploymentConfigName).toBe('CodeDeployDefault.LambdaCanary10Percent5Minutes');
    expect(group.AutoRollbackConfiguration.Events).toEqual([
      'DEPLOYMENT_FAILURE',
      'DEPLOYMENT_STOP_ON_REQUEST',
      'DEPLOYMENT_STOP_ON_ALARM',
    ]);
    expect(group.AlarmConfiguration.Enabled).toBe(true);
    const [, alias] =
      aliases.find(
        ([, { UpdatePolicy }]) =>
          UpdatePolicy.CodeDeployLambdaAliasUpdate.DeploymentGroupName === ref(id),
      ) ?? [];
    const watching = group.AlarmConfiguration.Alarms.map(({ Name }: Properties) => Name);
    // They watch before the alias is shifted.
    const before = [alias.DependsOn].flat().map((one) => ref(one));
    expect(before.toSorted()).toEqual(watching.toSorted());
  }
});

test('each alarm informs when it goes on, pages when it goes on and off, or rolls back', () => {
  const [[, { Properties: paging }] = []] = resourcesOf(everyAlarm, 'CloudWatch::CompositeAlarm');
  const page = [ref('AlarmsRecipientsPage')];
  expect(paging).toMatchObject({ AlarmActions: page, OKActions: page });
  const inform = [ref('AlarmsRecipientsInform')];
  const rollback = propertiesOf(everyAlarm, 'CodeDeploy::DeploymentGroup');
  for (const [id, alarm] of Object.entries(propertiesOf(everyAlarm, 'CloudWatch::Alarm'))) {
    const { AlarmActions, OKActions, TreatMissingData } = alarm;
    const isReasonToPage = paging.AlarmRule.includes(`{${id}.Arn}`);
    const ofDeployment = JSON.stringify(rollback).includes(ref(id));
    const name = nameOf(alarm);
    const isSilent = isReasonToPage || ofDeployment;
    // It pages by itself: the composite alarm is on for as long as another reason is.
    const pages = ['BusBehind', 'CallsStopped', 'GuaranteeBroken'].includes(name);
    expect(AlarmActions, id).toEqual(isSilent ? undefined : pages ? page : inform);
    // The first state of a new alarm would be a message.
    expect(OKActions, id).toEqual(pages ? page : undefined);
    expect(TreatMissingData, id).toBe(name === 'Heartbeat' ? 'missing' : 'notBreaching');
  }
});

test('an alarm that pages is about calls that apps make', () => {
  const [[, { Properties: paging }] = []] = resourcesOf(everyAlarm, 'CloudWatch::CompositeAlarm');
  const reasons = [...paging.AlarmRule.matchAll(/AlarmsStage(\w+)\.Arn/g)].map(([, one]) => one);
  expect(reasons).toEqual([
    ...OPERATIONS.flatMap((one) =>
      ['Availability', 'Refusals'].map((kind) => functionName(one) + kind),
    ),
    'GatewayErrors',
    'GatewayRefusals',
    'Heartbeat',
  ]);
});

test('an alarm on a queue or a function measures the one that its name says', () => {
  const measured = Object.values(propertiesOf(everyAlarm, 'CloudWatch::Alarm')).flatMap((alarm) => {
    const metrics = alarm.Metrics?.flatMap(
      ({ MetricStat }: Properties) => MetricStat?.Metric ?? [],
    );
    const names = (metrics ?? [alarm]).flatMap(({ Dimensions = {} }: Properties) =>
      ['QueueName', 'FunctionName'].flatMap((key) => Dimensions[key] ?? []),
    );
    return names.length > 0 ? [[nameOf(alarm), [...new Set(names)]]] : [];
  });
  const of = Object.fromEntries(measured);
  expect(of).toMatchObject({
    BusDead: [ref('PromoEventsBusDeadLetterQueue.QueueName')],
    BusBehind: [ref('PublishPromoEvents')],
    PromoEventsDead: [ref('PromoEventsQueueDeadLetterQueue.QueueName')],
    PromoEventsWaiting: [ref('PromoEventsQueue.QueueName'), ref('StoreQueuedPromoEvents')],
    VersionsLate: [ref('RecordConfigurationVersions')],
    BackgroundErrors: [
      storeQueuedPromoEvents.name,
      publishPromoEvents.name,
      recordConfigurationVersions.name,
      checkPromoEvents.name,
    ].map(ref),
    VersionsMissing: [ref('ConfigurationHistoryDeadLetterQueue.QueueName')],
  });
});

test('apps are not told whether a user exists', () => {
  for (const client of Object.values(propertiesOf(prod, 'Cognito::UserPoolClient')))
    expect(client.PreventUserExistenceErrors).toBe('ENABLED');
});
