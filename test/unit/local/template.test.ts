import { describe, expect, test } from 'vitest';
import { Template, type TemplateBody } from '../../../local/template.ts';

const arnOf = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] });
const template = (resources: Record<string, { Type: string; Properties: unknown }>, outputs = {}) =>
  new Template({ Resources: resources, Outputs: outputs } as TemplateBody, 'Stack');

const lambda = { Type: 'AWS::Lambda::Function', Properties: {} };
/** As the CDK refers to a function: by the ARN of an alias. */
const alias = (id: string) => ({
  Type: 'AWS::Lambda::Alias',
  Properties: { FunctionName: { Ref: id }, Name: 'live' },
});
const nameOfAlias = (Ref: string) => ({
  'Fn::Join': ['', [{ 'Fn::Select': [6, { 'Fn::Split': [':', { Ref }] }] }, ':live']],
});

const queue = (Properties: object = {}) => ({ Type: 'AWS::SQS::Queue', Properties });
const redrive = { deadLetterTargetArn: arnOf('Dead'), maxReceiveCount: 3 };

test('a dead-letter queue comes before the queues that need it, wherever it is in the template', () => {
  const [First, Last] = [queue({ RedrivePolicy: redrive }), queue({ RedrivePolicy: redrive })];
  const Dead = queue({ MessageRetentionPeriod: 60, VisibilityTimeout: 5, KmsMasterKeyId: 'key' });
  const queues = template({ First, Dead, Last }).queues();
  expect(queues.map(({ queueName }) => queueName)).toEqual([
    'Stack-Dead',
    'Stack-First',
    'Stack-Last',
  ]);
  expect(queues[0]?.attributes).toEqual({ MessageRetentionPeriod: '60', VisibilityTimeout: '5' });
  expect(JSON.parse(queues[1]?.attributes.RedrivePolicy ?? '')).toEqual({
    deadLetterTargetArn: 'arn:aws:sqs:us-east-1:000000000000:Stack-Dead',
    maxReceiveCount: 3,
  });
});

describe('an event source', () => {
  const sourceWith = (properties: object) =>
    template({
      Queue: queue(),
      Other: lambda,
      Store: lambda,
      Live: alias('Store'),
      Source: {
        Type: 'AWS::Lambda::EventSourceMapping',
        Properties: {
          FunctionName: { Ref: 'Store' },
          EventSourceArn: arnOf('Queue'),
          BatchSize: 4,
          ...properties,
        },
      },
    }).eventSources()[0];

  test('has the settings of the template', () => {
    expect(
      sourceWith({
        ScalingConfig: { MaximumConcurrency: 3 },
        FunctionResponseTypes: ['ReportBatchItemFailures'],
      }),
    ).toEqual({
      functionLogicalId: 'Store',
      queueUrl: 'https://sqs.us-east-1.amazonaws.com/000000000000/Stack-Queue',
      queueArn: 'arn:aws:sqs:us-east-1:000000000000:Stack-Queue',
      batchSize: 4,
      concurrency: 3,
      reportsFailures: true,
    });
  });

  test('may be of an alias of the function', () => {
    const { functionLogicalId } = sourceWith({ FunctionName: nameOfAlias('Live') }) ?? {};
    expect(functionLogicalId).toBe('Store');
  });

  test("has Lambda's defaults for the rest", () => {
    expect(sourceWith({})).toMatchObject({ concurrency: 5, reportsFailures: false });
  });
});

describe("the event source of a table's stream", () => {
  const sourceWith = (properties: object = {}) => {
    const source = (EventSourceArn: object, own: object) => ({
      Type: 'AWS::Lambda::EventSourceMapping',
      Properties: { FunctionName: { Ref: 'Record' }, EventSourceArn, BatchSize: 9, ...own },
    });
    const made = template({
      Queue: queue(),
      Table: { Type: 'AWS::DynamoDB::GlobalTable', Properties: {} },
      Record: lambda,
      OfQueue: source(arnOf('Queue'), {}),
      OfTable: source({ 'Fn::GetAtt': ['Table', 'StreamArn'] }, properties),
    });
    expect(made.eventSources()).toHaveLength(1);
    return made.streamEventSources();
  };

  test('has the settings of the template', () => {
    const own = {
      BisectBatchOnFunctionError: true,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    };
    expect(sourceWith(own)).toEqual([
      {
        functionLogicalId: 'Record',
        streamArn:
          'arn:aws:dynamodb:us-east-1:000000000000:table/Stack-Table/stream/2026-01-01T00:00:00.000',
        batchSize: 9,
        reportsFailures: true,
        bisects: true,
      },
    ]);
  });

  test("has Lambda's defaults for the rest", () => {
    expect(sourceWith()).toMatchObject([{ reportsFailures: false, bisects: false }]);
  });
});

test('a table has its key, and its stream if it has one', () => {
  const KeySchema = [{ AttributeName: 'clientId', KeyType: 'HASH' }];
  const AttributeDefinitions = [{ AttributeName: 'clientId', AttributeType: 'S' }];
  const table = (own: object) => ({
    Type: 'AWS::DynamoDB::GlobalTable',
    Properties: { KeySchema, AttributeDefinitions, ...own },
  });
  const StreamSpecification = { StreamViewType: 'NEW_IMAGE' };
  const tables = template({ One: table({}), Other: table({ StreamSpecification }) }).tables();
  const streamOf = (name: string) =>
    `arn:aws:dynamodb:us-east-1:000000000000:table/${name}/stream/2026-01-01T00:00:00.000`;
  const common = { keySchema: KeySchema, attributeDefinitions: AttributeDefinitions };
  expect(tables).toEqual([
    {
      ...{ tableName: 'Stack-One', streamArn: streamOf('Stack-One'), ...common },
      streamViewType: undefined,
    },
    {
      ...{ tableName: 'Stack-Other', streamArn: streamOf('Stack-Other'), ...common },
      streamViewType: 'NEW_IMAGE',
    },
  ]);
});

test('an event source that is not a resource of the template is refused', () => {
  const Properties = {
    FunctionName: { Ref: 'Store' },
    EventSourceArn: 'arn:aws:sqs:x',
    BatchSize: 1,
  };
  const Source = { Type: 'AWS::Lambda::EventSourceMapping', Properties };
  expect(() => template({ Store: lambda, Source }).eventSources()).toThrow(
    'cannot resolve "arn:aws:sqs:x"',
  );
});

test('a function has its code, its limits and its variables', () => {
  const functions = template({
    Table: { Type: 'AWS::DynamoDB::GlobalTable', Properties: {} },
    GetConfig: {
      Type: 'AWS::Lambda::Function',
      Properties: {
        Code: { S3Key: 'code.zip' },
        Handler: 'index.handler',
        Timeout: 20,
        MemorySize: 512,
        Environment: { Variables: { TABLE: { Ref: 'Table' }, REGION: { Ref: 'AWS::Region' } } },
      },
    },
  }).functions();
  expect(functions).toEqual([
    {
      logicalId: 'GetConfig',
      codeKey: 'code.zip',
      handler: 'index.handler',
      timeoutSeconds: 20,
      memoryMegabytes: 512,
      environment: { TABLE: 'Stack-Table', REGION: 'us-east-1' },
    },
  ]);
});

test.each([
  ['a string', 'x', 'x'],
  ['a pseudo parameter', { Ref: 'AWS::URLSuffix' }, 'amazonaws.com'],
  ['the account', { Ref: 'AWS::AccountId' }, '000000000000'],
  ['a table', { Ref: 'Table' }, 'Stack-Table'],
  ['a user pool', { Ref: 'Pool' }, 'us-east-1_Pool'],
  ['an app client', { Ref: 'AppClient' }, 'appclient'],
  ['a queue', { Ref: 'Queue' }, 'https://sqs.us-east-1.amazonaws.com/000000000000/Stack-Queue'],
  [
    'a stream',
    { 'Fn::GetAtt': ['Table', 'StreamArn'] },
    'arn:aws:dynamodb:us-east-1:000000000000:table/Stack-Table/stream/2026-01-01T00:00:00.000',
  ],
  ['a join', { 'Fn::Join': ['-', ['a', { Ref: 'AWS::Partition' }, 'b']] }, 'a-aws-b'],
])('%s is resolved, in an output too', (_, value, expected) => {
  const resources = {
    Table: { Type: 'AWS::DynamoDB::GlobalTable', Properties: {} },
    Pool: { Type: 'AWS::Cognito::UserPool', Properties: {} },
    AppClient: { Type: 'AWS::Cognito::UserPoolClient', Properties: {} },
    Queue: queue(),
  };
  const made = template(resources, { Output: { Value: value } });
  expect(made.resolve(value)).toBe(expected);
  expect(made.outputs()).toEqual({ Output: expected });
});

test.each([{ 'Fn::GetAtt': ['Table', 'Arn'] }, { 'Fn::Sub': 'x' }])(
  '%j cannot be resolved, and the error says so',
  (value) => {
    const resources = { Table: { Type: 'AWS::DynamoDB::GlobalTable', Properties: {} } };
    expect(() => template(resources).resolve(value)).toThrow('cannot resolve {"Fn::');
  },
);

describe('a pipe', () => {
  const properties = {
    RoleArn: arnOf('Role'),
    Source: { 'Fn::GetAtt': ['Table', 'StreamArn'] },
    SourceParameters: {
      DynamoDBStreamParameters: { DeadLetterConfig: { Arn: arnOf('Dead') } },
      FilterCriteria: { Filters: [{ Pattern: '{"eventName":["INSERT"]}' }, { Pattern: '{}' }] },
    },
    Target: arnOf('Bus'),
    TargetParameters: {
      EventBridgeEventBusParameters: { Source: 'source', DetailType: '$.kind' },
      InputTemplate: '{}',
    },
  };
  const pipesWith = (Properties: object) =>
    template({
      Table: { Type: 'AWS::DynamoDB::GlobalTable', Properties: {} },
      Dead: queue(),
      Pipe: { Type: 'AWS::Pipes::Pipe', Properties },
    }).pipes();

  test('has its stream, its filters, its transformation and its dead-letter queue', () => {
    expect(pipesWith(properties)).toEqual([
      {
        pipeArn: 'arn:aws:pipes:us-east-1:000000000000:pipe/Stack-Pipe',
        streamArn:
          'arn:aws:dynamodb:us-east-1:000000000000:table/Stack-Table/stream/2026-01-01T00:00:00.000',
        deadLetterQueueUrl: 'https://sqs.us-east-1.amazonaws.com/000000000000/Stack-Dead',
        filters: ['{"eventName":["INSERT"]}', '{}'],
        source: 'source',
        detailType: '$.kind',
        inputTemplate: '{}',
      },
    ]);
  });

  test('may have no filters', () => {
    const { FilterCriteria, ...SourceParameters } = properties.SourceParameters;
    expect(pipesWith({ ...properties, SourceParameters })).toMatchObject([{ filters: [] }]);
  });

  test('may have a log and tags', () => {
    expect(pipesWith({ ...properties, LogConfiguration: {}, Tags: {} })).toHaveLength(1);
  });

  test.each([
    ['Enrichment', { ...properties, Enrichment: arnOf('Function') }],
    [
      'SqsQueueParameters',
      {
        ...properties,
        TargetParameters: { ...properties.TargetParameters, SqsQueueParameters: {} },
      },
    ],
  ])('with a property that the local server does not know is refused: %s', (name, own) => {
    expect(() => pipesWith(own)).toThrow(`does not know ${name} of the pipe Pipe`);
  });
});
