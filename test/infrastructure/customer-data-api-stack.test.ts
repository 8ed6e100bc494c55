import { Match, Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { nameOf, type Resource } from '../../functions/api/operation.ts';
import { OPERATIONS } from '../../functions/operations.ts';
import { addCustomerDataApiStack } from '../../lib/customer-data-api-stack.ts';
import { QUEUE_FUNCTION, RECORDING_FUNCTION } from '../../lib/function-names.ts';
import { readRestApi } from '../../local/rest-api.ts';
import { Template as LocalTemplate, type TemplateBody } from '../../local/template.ts';
import { DOCUMENT } from '../../openapi/validation.ts';
import { appFor, stackFor, templateFor } from '../support/stack.ts';

const dev = templateFor();

describe('the API', () => {
  test('has a POST for each path of the spec and of the project', () => {
    const resources = dev.findResources('AWS::ApiGateway::Resource');
    const pathOf = ({ Ref }: { Ref?: string }): string => {
      const properties = resources[Ref ?? '']?.Properties;
      return properties ? `${pathOf(properties.ParentId)}/${properties.PathPart}` : '';
    };
    const methods = Object.values(dev.findResources('AWS::ApiGateway::Method'));
    expect(
      methods
        .map(({ Properties }) => [Properties.HttpMethod, pathOf(Properties.ResourceId)])
        .sort(),
    ).toEqual(
      expect.arrayContaining([
        ['POST', '/customData/getConfig'],
        ['POST', '/customerData/getConfig'],
        ['POST', '/promoCode/apply'],
      ]),
    );
  });

  test('has the routes of the OpenAPI document, and no others', () => {
    const api = readRestApi(new LocalTemplate(dev.toJSON() as TemplateBody, 'dev'));
    const routes = api.routes.map(({ method, path }) => `${method} ${path}`);
    expect(routes.sort()).toEqual(
      Object.keys(DOCUMENT.paths)
        .map((path) => `POST ${path}`)
        .sort(),
    );
  });

  test('is regional, so that no CloudFront responds with its own error pages', () => {
    dev.hasResourceProperties('AWS::ApiGateway::RestApi', {
      EndpointConfiguration: { Types: ['REGIONAL'] },
    });
  });

  test.each([
    ['MISSING_AUTHENTICATION_TOKEN', 404, 'ResourceNotFoundException', false],
    ['INVALID_SIGNATURE', 404, 'ResourceNotFoundException', false],
    ['EXPIRED_TOKEN', 404, 'ResourceNotFoundException', false],
    ['RESOURCE_NOT_FOUND', 404, 'ResourceNotFoundException', false],
    ['UNSUPPORTED_MEDIA_TYPE', 405, 'MethodNotAllowedException', false],
    ['REQUEST_TOO_LARGE', 413, 'PayloadTooLargeException', false],
    ['THROTTLED', 429, 'ThrottlingException', true],
    ['QUOTA_EXCEEDED', 429, 'ThrottlingException', true],
    ['WAF_FILTERED', 403, 'ForbiddenException', false],
    ['INTEGRATION_FAILURE', 500, 'InternalServerError', true],
    ['INTEGRATION_TIMEOUT', 500, 'InternalServerError', true],
    ['DEFAULT_4XX', 400, 'ValidationException', false],
    ['DEFAULT_5XX', 500, 'InternalServerError', true],
  ])('answers %s in the envelope, as %i %s', (ResponseType, statusCode, code, retryable) => {
    const found = dev.findResources('AWS::ApiGateway::GatewayResponse', {
      Properties: { ResponseType, StatusCode: String(statusCode) },
    });
    const [response] = Object.values(found);
    const { errors, warnings, notices, data, ...rest } = JSON.parse(
      response?.Properties.ResponseTemplates['application/json'],
    );
    const message = expect.any(String);
    expect(data).toEqual({ message, code, statusCode, retryable });
    expect({ errors, warnings, notices, rest }).toEqual({
      errors: [{ code, message }],
      warnings: [],
      notices: [],
      rest: {},
    });
    // API Gateway would replace $context and other variables in a gateway response.
    expect(JSON.stringify({ errors, data })).not.toContain('$');
  });

  test.each([
    ['REQUEST_TOO_LARGE', 'The request is too large.'],
    ['WAF_FILTERED', 'The request was blocked, because it looks like an attack.'],
    ['DEFAULT_4XX', 'The gateway could not parse the request.'],
  ])('answers %s with the reason: %s', (ResponseType, reason) => {
    const [response] = Object.values(
      dev.findResources('AWS::ApiGateway::GatewayResponse', { Properties: { ResponseType } }),
    );
    const { errors } = JSON.parse(response?.Properties.ResponseTemplates['application/json']);
    expect(errors).toMatchObject([{ message: reason }]);
  });

  test('a changed gateway response creates a new deployment', () => {
    const [deployment] = Object.values(dev.findResources('AWS::ApiGateway::Deployment'));
    for (const id of Object.keys(dev.findResources('AWS::ApiGateway::GatewayResponse'))) {
      expect(deployment?.DependsOn).toContain(id);
    }
  });
});

describe('API Gateway', () => {
  test('has one stage, named after the stage, and an API named after the stack', () => {
    dev.resourceCountIs('AWS::ApiGateway::Stage', 1);
    dev.hasResourceProperties('AWS::ApiGateway::Stage', { StageName: 'test' });
    dev.hasResourceProperties('AWS::ApiGateway::RestApi', { Name: 'CustomerDataApi-test' });
  });

  test('may invoke the functions only for deployed routes, and has no role for its logs', () => {
    const sources = Object.values(dev.findResources('AWS::Lambda::Permission')).map(
      ({ Properties }) => JSON.stringify(Properties.SourceArn),
    );
    const posts = dev.findResources('AWS::ApiGateway::Method', {
      Properties: { HttpMethod: 'POST' },
    });
    expect(sources).toHaveLength(Object.keys(posts).length);
    for (const source of sources) expect(source).not.toContain('test-invoke-stage');
    dev.resourceCountIs('AWS::ApiGateway::Account', 0);
  });
});

describe('the functions', () => {
  test('run on Node 24 on ARM64, and log JSON to a log group of their own, kept for a month', () => {
    const functions = Object.values(dev.findResources('AWS::Lambda::Function'));
    const logGroups = dev.findResources('AWS::Logs::LogGroup');
    expect(functions).toHaveLength(OPERATIONS.length + 2);
    for (const { Properties } of functions) {
      expect(Properties).toMatchObject({
        Architectures: ['arm64'],
        Runtime: 'nodejs24.x',
        LoggingConfig: { LogFormat: 'JSON' },
        MemorySize: 1024,
        // Longer than all attempts of their calls, and shorter than the 29 s of API Gateway.
        Timeout: 20,
      });
      expect(logGroups[Properties.LoggingConfig.LogGroup.Ref]?.Properties.RetentionInDays).toBe(30);
    }
  });

  test.each([
    ...['GetConfig', 'ApplyPromoCode', 'StoreQueuedPromoEvents', 'RecordConfigurationVersions'],
  ])('have log groups with predictable names: %s', (name) => {
    const [logicalId] = Object.keys(
      dev.findResources('AWS::Logs::LogGroup', {
        Properties: { LogGroupName: `/aws/lambda/CustomerDataApi-test/${name}` },
      }),
    );
    const [functionId] = Object.keys(
      dev.findResources('AWS::Lambda::Function', {
        Properties: { LoggingConfig: { LogGroup: { Ref: logicalId } } },
      }),
    );
    expect(functionId).toMatch(new RegExp(`^${name}[0-9A-F]{8}$`));
  });

  test('and the pipe may only make the calls that they need and write their own log', () => {
    const allowed = Object.values(dev.findResources('AWS::IAM::Policy')).map(({ Properties }) =>
      Properties.PolicyDocument.Statement.flatMap(
        ({ Action, Resource }: { Action: string | string[]; Resource: unknown }) =>
          [Action].flat().map((action) => `${action} ${JSON.stringify(Resource)}`),
      ),
    );
    const on = (type: string, id: string, calls: string[], attribute = 'Arn') => {
      const logicalId = Object.keys(dev.findResources(type)).find((name) => name.includes(id));
      const arn = JSON.stringify({ 'Fn::GetAtt': [logicalId, attribute] });
      return calls.map((call) => `${call} ${arn}`);
    };
    const TABLE = 'AWS::DynamoDB::GlobalTable';
    const KNOWN = ['GetConfig', 'ApplyPromoCode'];
    const RESOURCES = {
      configs: [TABLE, 'TablesConfigsA'],
      configVersions: [TABLE, 'ConfigVersions'],
      promoEvents: [TABLE, 'PromoEvents'],
      promoEventsQueue: ['AWS::SQS::Queue', 'PromoEventsQueue0'],
    } as const satisfies Record<Resource, unknown>;
    const own = (id: string) =>
      on('AWS::Logs::LogGroup', id, ['logs:CreateLogStream', 'logs:PutLogEvents']);
    // X-Ray has no resources.
    const traces = ['xray:PutTraceSegments "*"', 'xray:PutTelemetryRecords "*"'];
    const ofFunction = (id: string) => [...own(`${id}Logs`), ...traces];
    const readsClients = on(TABLE, 'TablesConfigsA', ['dynamodb:GetItem']);
    const writesEvents = on(TABLE, 'PromoEvents', ['dynamodb:PutItem', 'dynamodb:UpdateItem']);
    const consumes = ['ChangeMessageVisibility', 'DeleteMessage', 'GetQueueAttributes'];
    const streams = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'];
    const expected = [
      [
        ...on(
          TABLE,
          'PromoEvents',
          streams.map((call) => `dynamodb:${call}`),
          'StreamArn',
        ),
        ...on('AWS::Events::EventBus', 'EventBus', ['events:PutEvents']),
        ...on('AWS::SQS::Queue', 'PromoEventsBusDeadLetterQueue', ['sqs:SendMessage']),
        ...own('PromoEventsBusPipeLogs'),
      ],
      [...ofFunction('GetConfig'), ...readsClients],
      [
        ...ofFunction('ApplyPromoCode'),
        ...readsClients,
        ...writesEvents,
        ...on('AWS::SQS::Queue', 'PromoEventsQueue0', ['sqs:SendMessage']),
      ],
      [
        ...ofFunction('StoreQueuedPromoEvents'),
        ...writesEvents,
        ...on(
          'AWS::SQS::Queue',
          'PromoEventsQueue0',
          [...consumes, 'GetQueueUrl', 'ReceiveMessage'].map((call) => `sqs:${call}`),
        ),
      ],
      [
        ...ofFunction('RecordConfigurationVersions'),
        ...on(
          TABLE,
          'ConfigVersions',
          ['DeleteItem', 'PutItem', 'Query'].map((call) => `dynamodb:${call}`),
        ),
        ...on(
          TABLE,
          'TablesConfigsA',
          streams.map((call) => `dynamodb:${call}`),
          'StreamArn',
        ),
        ...on('AWS::SQS::Queue', 'ConfigurationHistoryDeadLetterQueue', ['sqs:SendMessage']),
      ],
      // For an operation that this test does not know: the grants that it declares.
      ...OPERATIONS.filter((operation) => !KNOWN.includes(nameOf(operation))).map((operation) => [
        ...ofFunction(nameOf(operation)),
        ...Object.entries<readonly string[]>(operation.grants).flatMap(([resource, calls]) => {
          const [type, logicalId] = RESOURCES[resource as Resource];
          return on(type, logicalId, [...calls]);
        }),
      ]),
    ];
    const sorted = (statements: string[][]) => statements.map((actions) => actions.sort()).sort();
    expect(sorted(allowed)).toEqual(sorted(expected));
    dev.allResourcesProperties('AWS::IAM::Role', { ManagedPolicyArns: Match.absent() });
  });

  test('and the pipe have roles that only their service can take on', () => {
    const names = [...OPERATIONS.map(nameOf), QUEUE_FUNCTION, RECORDING_FUNCTION];
    const roles = Object.entries(dev.findResources('AWS::IAM::Role')).map(
      ([id, { Properties }]) => [
        id.replace(/[0-9A-F]{8}$/, ''),
        Properties.AssumeRolePolicyDocument.Statement,
      ],
    );
    const only = (Service: string) => [
      { Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service } },
    ];
    expect(Object.fromEntries(roles)).toEqual({
      ...Object.fromEntries(names.map((name) => [`${name}Role`, only('lambda.amazonaws.com')])),
      PromoEventsBusPipeRole: only('pipes.amazonaws.com'),
    });
  });

  test('receive the settings', () => {
    const template = templateFor({
      userPoolId: 'eu-central-1_AbCdEfGhI',
      userPoolClientIds: ['1abc', '2def'],
      userIdClaim: 'custom:userId',
      requestDateWindowSeconds: 3600,
      requireUserPoolClientIds: true,
      configCacheSeconds: 5,
      promoEventRetentionDays: 90,
    });
    const toldTo = (id: string) =>
      Object.entries(template.findResources('AWS::Lambda::Function')).find(([name]) =>
        name.startsWith(id),
      )?.[1].Properties.Environment.Variables;
    const common = {
      USER_POOL_ID: 'eu-central-1_AbCdEfGhI',
      USER_POOL_CLIENT_IDS: '1abc,2def',
      REQUEST_DATE_WINDOW_SECONDS: '3600',
      REQUIRE_USER_POOL_CLIENT_IDS: 'true',
      CONFIG_CACHE_SECONDS: '5',
    };
    const ofEvents = { PROMO_EVENT_RETENTION_DAYS: '90' };
    expect(toldTo('GetConfig')).toMatchObject(common);
    expect(toldTo('ApplyPromoCode')).toMatchObject({
      ...{ ...common, ...ofEvents, USER_ID_CLAIM: 'custom:userId' },
    });
    expect(toldTo('StoreQueuedPromoEvents')).toMatchObject(ofEvents);
  });

  test('have the variables that they read, with the default settings, and names for metrics and log', () => {
    const variablesOf = (id: string) =>
      Object.entries(dev.findResources('AWS::Lambda::Function')).find(([name]) =>
        name.startsWith(id),
      )?.[1].Properties.Environment.Variables;
    const refTo = (type: string, name: string) => ({
      Ref: Object.keys(dev.findResources(type)).find((id) => id.startsWith(name)),
    });
    const ofMetrics = (folder: string) => ({
      LOG_INTERVAL_SECONDS: '5',
      POWERTOOLS_METRICS_NAMESPACE: 'CustomerDataApi',
      POWERTOOLS_SERVICE_NAME: folder,
      STAGE_NAME: 'test',
    });
    const DYNAMODB_ENDPOINT = {
      'Fn::Join': [
        '',
        ['https://dynamodb.', { Ref: 'AWS::Region' }, '.', { Ref: 'AWS::URLSuffix' }],
      ],
    };
    const ofApi = {
      CONFIGS_TABLE_NAME: refTo('AWS::DynamoDB::GlobalTable', 'TablesConfigsA'),
      CONFIG_CACHE_SECONDS: '10',
      CORS_ORIGINS: 'none',
      DYNAMODB_ENDPOINT,
      REQUEST_DATE_WINDOW_SECONDS: '86400',
      REQUIRE_USER_POOL_CLIENT_IDS: 'false',
      USER_POOL_CLIENT_IDS: refTo('AWS::Cognito::UserPoolClient', 'Users'),
      USER_POOL_ID: refTo('AWS::Cognito::UserPool', 'Users'),
    };
    const ofEvents = {
      PROMO_EVENTS_TABLE_NAME: refTo('AWS::DynamoDB::GlobalTable', 'TablesPromoEvents'),
      PROMO_EVENT_RETENTION_DAYS: '0',
    };
    expect(variablesOf('GetConfig')).toEqual({ ...ofApi, ...ofMetrics('get-config') });
    expect(variablesOf('ApplyPromoCode')).toEqual({
      ...ofApi,
      ...ofEvents,
      PROMO_EVENTS_QUEUE_URL: { Ref: expect.stringMatching(/^PromoEventsQueue[0-9A-F]{8}$/) },
      USER_ID_CLAIM: 'sub',
      ...ofMetrics('apply-promo-code'),
    });
    expect(variablesOf('StoreQueuedPromoEvents')).toEqual({
      DYNAMODB_ENDPOINT,
      ...ofEvents,
      ...ofMetrics('store-queued-promo-events'),
    });
    expect(variablesOf('RecordConfigurationVersions')).toEqual({
      CONFIG_VERSIONS_TABLE_NAME: refTo('AWS::DynamoDB::GlobalTable', 'TablesConfigVersions'),
      DYNAMODB_ENDPOINT,
      REQUIRE_USER_POOL_CLIENT_IDS: 'false',
      ...ofMetrics('record-configuration-versions'),
    });
  });

  test('receive no emulator endpoint', () => {
    expect(JSON.stringify(dev.toJSON())).not.toContain('AWS_ENDPOINT_URL');
  });
});

describe('the tables', () => {
  test.each([
    ['Configs', [{ AttributeName: 'clientId', KeyType: 'HASH' }]],
    [
      'ConfigVersions',
      [
        { AttributeName: 'clientId', KeyType: 'HASH' },
        { AttributeName: 'version', KeyType: 'RANGE' },
      ],
    ],
    [
      'PromoEvents',
      [
        { AttributeName: 'clientId', KeyType: 'HASH' },
        { AttributeName: 'eventId', KeyType: 'RANGE' },
      ],
    ],
  ])('%s is on demand, encrypted, and can be restored to any point in time', (name, KeySchema) => {
    const tables = dev.findResources('AWS::DynamoDB::GlobalTable', { Properties: { KeySchema } });
    expect(Object.keys(tables)).toEqual([expect.stringContaining(name)]);
    expect(Object.values(tables)[0]?.Properties).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      SSESpecification: { SSEEnabled: true },
      Replicas: [{ PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } }],
    });
  });

  test('promo events expire after their retention, if there is one', () => {
    dev.hasResourceProperties('AWS::DynamoDB::GlobalTable', {
      TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
    });
  });

  test('have the streams that the history and the bus need, and only promo events expire', () => {
    const tables = Object.entries(dev.findResources('AWS::DynamoDB::GlobalTable')).map(
      ([id, { Properties }]) => [
        id.replace(/[0-9A-F]{8}$/, ''),
        Properties.StreamSpecification?.StreamViewType,
        Properties.TimeToLiveSpecification?.AttributeName,
      ],
    );
    expect(tables.sort()).toEqual([
      ['TablesConfigVersions', undefined, undefined],
      // The history compares what an item was with what it became.
      ['TablesConfigs', 'NEW_AND_OLD_IMAGES', undefined],
      ['TablesPromoEvents', 'NEW_IMAGE', 'expiresAt'],
    ]);
  });

  test('have no limit of their throughput', () => {
    for (const setting of [
      'WriteOnDemandThroughputSettings',
      'WriteProvisionedThroughputSettings',
    ]) {
      dev.allResourcesProperties('AWS::DynamoDB::GlobalTable', { [setting]: Match.absent() });
    }
    dev.allResourcesProperties('AWS::DynamoDB::GlobalTable', {
      Replicas: [
        {
          ReadOnDemandThroughputSettings: Match.absent(),
          ReadProvisionedThroughputSettings: Match.absent(),
        },
      ],
    });
  });

  test('have no index that a popular code could turn into a hot partition', () => {
    dev.allResourcesProperties('AWS::DynamoDB::GlobalTable', {
      GlobalSecondaryIndexes: Match.absent(),
    });
  });
});

describe('the history of configurations', () => {
  const tableId = (name: string) =>
    Object.keys(dev.findResources('AWS::DynamoDB::GlobalTable')).find((id) => id.startsWith(name));

  test('gets what each item was and what it became', () => {
    dev.hasResource('AWS::DynamoDB::GlobalTable', {
      Properties: { StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' } },
    });
    const [source] = Object.entries(dev.findResources('AWS::Lambda::EventSourceMapping')).flatMap(
      ([id, resource]) => (id.startsWith(RECORDING_FUNCTION) ? [resource.Properties] : []),
    );
    expect(source).toEqual({
      EventSourceArn: { 'Fn::GetAtt': [tableId('TablesConfigsA'), 'StreamArn'] },
      FunctionName: { 'Fn::Join': ['', [expect.anything(), ':live']] },
      // Changes that were made before the function existed count as well.
      StartingPosition: 'TRIM_HORIZON',
      BatchSize: 25,
      // A change is retried alone, for half of the time for which the stream keeps it.
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      BisectBatchOnFunctionError: true,
      MaximumRecordAgeInSeconds: 12 * 60 * 60,
      DestinationConfig: {
        OnFailure: {
          Destination: {
            'Fn::GetAtt': [expect.stringMatching(/^ConfigurationHistoryDeadLetterQueue/), 'Arn'],
          },
        },
      },
    });
  });
});

describe('the queue of promo events', () => {
  const queues = dev.findResources('AWS::SQS::Queue');
  const idOf = (name: string) =>
    Object.keys(queues).find((id) => id.replace(/[0-9A-F]{8}$/, '') === name) ?? '';
  const [queueId, deadLetterId] = [
    idOf('PromoEventsQueue'),
    idOf('PromoEventsQueueDeadLetterQueue'),
  ];
  const queue = queues[queueId]?.Properties;

  test('keeps messages for 14 days, encrypted, and refuses plain HTTP', () => {
    const ofBus = idOf('PromoEventsBusDeadLetterQueue');
    const ofHistory = idOf('ConfigurationHistoryDeadLetterQueue');
    const all = [queueId, deadLetterId, ofBus, ofHistory];
    expect(Object.keys(queues).sort()).toEqual(all.sort());
    for (const { Properties } of Object.values(queues)) {
      expect(Properties).toMatchObject({
        MessageRetentionPeriod: 14 * 24 * 60 * 60,
        SqsManagedSseEnabled: true,
      });
    }
    const denied = Object.values(dev.findResources('AWS::SQS::QueuePolicy')).map(
      ({ Properties }) => [Properties.Queues, Properties.PolicyDocument.Statement],
    );
    for (const Ref of all) {
      const plain = { Bool: { 'aws:SecureTransport': 'false' } };
      expect(denied).toContainEqual([
        [{ Ref }],
        [expect.objectContaining({ Effect: 'Deny', Action: 'sqs:*', Condition: plain })],
      ]);
    }
  });

  test('retries a message every two minutes, and moves it to the dead-letter queue after 100 attempts, in more than three hours', () => {
    expect(queue.VisibilityTimeout).toBe(2 * 60);
    const { deadLetterTargetArn, maxReceiveCount } = queue.RedrivePolicy;
    expect(deadLetterTargetArn).toEqual({ 'Fn::GetAtt': [deadLetterId, 'Arn'] });
    expect(maxReceiveCount).toBe(100);
    expect(maxReceiveCount * queue.VisibilityTimeout).toBeGreaterThan(3 * 60 * 60);
  });

  test('delivers batches, retries only their failed messages, and delivers each message to one receiver at a time', () => {
    const [source] = Object.entries(dev.findResources('AWS::Lambda::EventSourceMapping')).flatMap(
      ([id, resource]) => (id.startsWith(QUEUE_FUNCTION) ? [resource] : []),
    );
    expect(source?.Properties).toMatchObject({
      EventSourceArn: { 'Fn::GetAtt': [queueId, 'Arn'] },
      FunctionName: { 'Fn::Join': ['', [expect.anything(), ':live']] },
      BatchSize: 10,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      // More of them would only throttle the table.
      ScalingConfig: { MaximumConcurrency: 10 },
    });
    const [[, consumer] = []] = Object.entries(dev.findResources('AWS::Lambda::Function')).filter(
      ([id]) => id.startsWith(QUEUE_FUNCTION),
    );
    // https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
    expect(queue.VisibilityTimeout).toBeGreaterThanOrEqual(6 * consumer?.Properties.Timeout);
  });
});

test.each([
  [true, 'Retain', true],
  [false, 'Delete', false],
])(
  'with retainData %s, the deletion policy of the data is %s',
  (retainData, DeletionPolicy, isProtected) => {
    const accessLogs = { accessLogs: true, gatewayLogRole: 'existing' };
    const stack = stackFor({ retainData, alarmRecipients: 'none', ...accessLogs });
    expect(stack.terminationProtection).toBe(isProtected);
    const template = Template.fromStack(stack);
    template.allResources('AWS::DynamoDB::GlobalTable', {
      DeletionPolicy,
      UpdateReplacePolicy: DeletionPolicy,
      Properties: { Replicas: [Match.objectLike({ DeletionProtectionEnabled: isProtected })] },
    });
    template.allResources('AWS::Cognito::UserPool', {
      DeletionPolicy,
      Properties: { DeletionProtection: isProtected ? 'ACTIVE' : 'INACTIVE' },
    });
    template.allResources('AWS::Cognito::UserPoolClient', { DeletionPolicy });
    const logGroups = template.findResources('AWS::Logs::LogGroup');
    for (const { Properties, DeletionPolicy: policy } of Object.values(logGroups)) {
      // One that stayed after a first deployment failed would have the name that the next one needs.
      const isNamed = Properties.LogGroupName !== undefined;
      expect(policy).toBe(isNamed && retainData ? 'RetainExceptOnCreate' : DeletionPolicy);
    }
    template.allResources('AWS::SQS::Queue', { DeletionPolicy });
  },
);

describe('the user pool', () => {
  test('is new, with an app client that has no secret and does not reveal which users exist', () => {
    dev.resourceCountIs('AWS::Cognito::UserPool', 1);
    dev.hasResourceProperties('AWS::Cognito::UserPoolClient', {
      GenerateSecret: Match.absent(),
      PreventUserExistenceErrors: 'ENABLED',
      // SRP for apps, the admin flow for a test call, and refreshing tokens.
      ExplicitAuthFlows: [
        'ALLOW_ADMIN_USER_PASSWORD_AUTH',
        'ALLOW_USER_SRP_AUTH',
        'ALLOW_REFRESH_TOKEN_AUTH',
      ],
      AllowedOAuthFlowsUserPoolClient: false,
      AllowedOAuthFlows: Match.absent(),
    });
    dev.hasResourceProperties('AWS::Cognito::UserPool', {
      // Shoppers sign up by themselves.
      AdminCreateUserConfig: { AllowAdminCreateUserOnly: false },
      Policies: {
        PasswordPolicy: {
          MinimumLength: 8,
          RequireLowercase: true,
          RequireUppercase: true,
          RequireNumbers: true,
          RequireSymbols: true,
        },
      },
    });
  });

  test('can be an existing one, which the stack does not change', () => {
    const template = templateFor({
      userPoolId: 'eu-central-1_A',
      userPoolClientIds: ['1abc', '2def'],
    });
    template.resourceCountIs('AWS::Cognito::UserPool', 0);
    template.resourceCountIs('AWS::Cognito::UserPoolClient', 0);
    template.hasOutput('UserPoolId', { Value: 'eu-central-1_A' });
    template.hasOutput('UserPoolClientId', { Value: '1abc,2def' });
  });

  test.each([
    [['username'], { AliasAttributes: Match.absent(), UsernameAttributes: Match.absent() }],
    [['email', 'phone'], { UsernameAttributes: ['email', 'phone_number'] }],
    [['username', 'email'], { AliasAttributes: ['email'] }],
  ])('lets users sign up and sign in with %j', (signInIdentifiers, properties) => {
    templateFor({ signInIdentifiers }).hasResourceProperties('AWS::Cognito::UserPool', {
      AdminCreateUserConfig: { AllowAdminCreateUserOnly: false },
      ...properties,
    });
  });

  test('has an app client per name, whose tokens the functions accept', () => {
    const template = templateFor({ appClients: ['Acme', 'Pizza'] });
    const ids = Object.keys(template.findResources('AWS::Cognito::UserPoolClient'));
    expect(ids).toHaveLength(2);
    for (const name of ['Acme', 'Pizza']) {
      const Ref = ids.find((id) => id.includes(name));
      template.hasOutput(`UserPoolClientId${name}`, { Value: { Ref } });
    }
    const accepted = { 'Fn::Join': ['', [{ Ref: ids[0] }, ',', { Ref: ids[1] }]] };
    template.hasResourceProperties('AWS::Lambda::Function', {
      Environment: { Variables: Match.objectLike({ USER_POOL_CLIENT_IDS: accepted }) },
    });
  });
});

test('the stack has the outputs that scripts depend on', () => {
  const template = templateFor({
    userPoolId: 'eu-central-1_A',
    userPoolClientIds: ['1abc', '2def'],
    userIdClaim: 'custom:userId',
    requireUserPoolClientIds: true,
  });
  const outputs = Object.fromEntries(
    Object.entries(template.findOutputs('*')).map(([name, { Value }]) => [name, Value]),
  );
  const ref = (id: string) => ({ Ref: expect.stringMatching(`^${id}[0-9A-F]{8}$`) });
  expect(outputs).toEqual({
    ApiUrl: {
      'Fn::Join': [
        '',
        [
          'https://',
          ref('Api'),
          '.execute-api.',
          { Ref: 'AWS::Region' },
          '.',
          { Ref: 'AWS::URLSuffix' },
          '/test',
        ],
      ],
    },
    ConfigsTableName: ref('TablesConfigs'),
    ConfigVersionsTableName: ref('TablesConfigVersions'),
    PromoEventsTableName: ref('TablesPromoEvents'),
    PromoEventsQueueUrl: ref('PromoEventsQueue'),
    PromoEventsDeadLetterQueueUrl: ref('PromoEventsQueueDeadLetterQueue'),
    PromoEventsBusName: ref('PromoEventsBusEventBus'),
    PromoEventsBusDeadLetterQueueUrl: ref('PromoEventsBusDeadLetterQueue'),
    Region: { Ref: 'AWS::Region' },
    ViewerPolicyArn: ref('OperatorPoliciesViewer'),
    EditorPolicyArn: ref('OperatorPoliciesEditor'),
    OnCallPolicyArn: ref('OperatorPoliciesOnCall'),
    RequiresUserPoolClientIds: 'true',
    RetainsData: 'false',
    UserPoolId: 'eu-central-1_A',
    UserPoolClientId: '1abc,2def',
    UserIdClaim: 'custom:userId',
  });
  // With a pool of its own, the stack also creates the app client.
  expect(Object.keys(dev.findOutputs('*')).sort()).toEqual(
    [...Object.keys(outputs), 'UserPoolClientIdApp'].sort(),
  );
});

test('each stage is a stack of its own, which says what it is', () => {
  const stacks = ['dev', 'prod'].map((stage) => addCustomerDataApiStack(appFor({ stage })));
  expect(stacks.map(({ stackName }) => stackName)).toEqual([
    ...['CustomerDataApi-dev', 'CustomerDataApi-prod'],
  ]);
  for (const { templateOptions } of stacks) {
    expect(templateOptions.description).toMatch(
      /^customer-data-api: .* promo codes for mobile apps$/,
    );
  }
});

test('existing tables replace new ones, with the same grants', () => {
  const streamArn =
    'arn:aws:dynamodb:eu-central-1:123456789012:table/restored/stream/2026-11-20T09:30:00.000';
  const configsStreamArn = streamArn.replace('restored', 'restored-configs');
  const template = templateFor({
    configsTable: { name: 'restored-configs', streamArn: configsStreamArn },
    configVersionsTable: { name: 'restored-versions' },
    promoEventsTable: { name: 'restored', streamArn },
  });
  template.resourceCountIs('AWS::DynamoDB::GlobalTable', 0);
  template.hasOutput('ConfigsTableName', { Value: 'restored-configs' });
  template.hasOutput('ConfigVersionsTableName', { Value: 'restored-versions' });
  template.hasOutput('PromoEventsTableName', { Value: 'restored' });
  template.hasResourceProperties('AWS::Pipes::Pipe', { Source: streamArn });
  template.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
    EventSourceArn: configsStreamArn,
  });
  const granted = JSON.stringify(template.findResources('AWS::IAM::Policy'));
  expect(granted).toContain(':table/restored-configs');
  expect(granted).toMatch(/:table\/restored"/);
  expect(granted).toContain(streamArn);
});

test('every resource that supports tags has those of the settings', () => {
  const stack = stackFor({ tags: { team: 'loyalty' } });
  expect(stack.tags.tagValues()).toEqual({ team: 'loyalty' });
  expect(stackFor().tags.tagValues()).toEqual({});
});
