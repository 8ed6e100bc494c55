import { expect, inject, test } from 'vitest';
import { readRestApi } from '../../../local/rest-api.ts';
import { readCloudAssembly } from '../../../local/synthesize.ts';
import { Template, type TemplateBody } from '../../../local/template.ts';

type Resources = Record<string, { Type: string; Properties: unknown }>;

const arnOf = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] });
const templateOf = (resources: Resources) =>
  new Template({ Resources: resources, Outputs: {} } as TemplateBody, 'Stack');

test('what runs here is what the template of the stage dev says', async () => {
  const { template, assetFolders } = await readCloudAssembly(inject('cloudAssembly'));
  const read = {
    functions: template.functions().map(({ codeKey, ...definition }) => {
      expect([...assetFolders.keys()]).toContain(codeKey);
      return definition;
    }),
    tables: template.tables(),
    queues: template.queues(),
    eventSources: template.eventSources(),
    streamEventSources: template.streamEventSources(),
    pipes: template.pipes(),
    outputs: template.outputs(),
  };
  await expect(JSON.stringify(read, null, 1)).toMatchFileSnapshot('golden/template.json');
  const { gatewayResponses, ...api } = readRestApi(template);
  await expect(
    JSON.stringify({ ...api, gatewayResponses: Object.fromEntries(gatewayResponses) }, null, 1),
  ).toMatchFileSnapshot('golden/rest-api.json');
});

const lambda = { Type: 'AWS::Lambda::Function', Properties: {} };
const table = { Type: 'AWS::DynamoDB::GlobalTable', Properties: {} };
const queue = (Properties: object = {}) => ({ Type: 'AWS::SQS::Queue', Properties });
const eventSource = (EventSourceArn: unknown) => ({
  Type: 'AWS::Lambda::EventSourceMapping',
  Properties: { FunctionName: { Ref: 'Store' }, EventSourceArn, BatchSize: 1 },
});

test('an event source has the defaults of Lambda for what the template leaves out', () => {
  const template = templateOf({
    ...{ Store: lambda, Queue: queue(), Table: table },
    OfQueue: eventSource(arnOf('Queue')),
    OfTable: eventSource({ 'Fn::GetAtt': ['Table', 'StreamArn'] }),
  });
  expect(template.eventSources()).toMatchObject([{ concurrency: 5, reportsFailures: false }]);
  expect(template.streamEventSources()).toMatchObject([{ reportsFailures: false, bisects: false }]);
});

test('a dead-letter queue comes before the queues that need it, wherever it is in the template', () => {
  const redrive = queue({ RedrivePolicy: { deadLetterTargetArn: arnOf('Dead') } });
  const queues = templateOf({ First: redrive, Dead: queue(), Last: redrive }).queues();
  expect(queues.map(({ queueName }) => queueName)).toEqual([
    ...['Stack-Dead', 'Stack-First', 'Stack-Last'],
  ]);
});

const PIPE = {
  Source: { 'Fn::GetAtt': ['Table', 'StreamArn'] },
  SourceParameters: {
    DynamoDBStreamParameters: { DeadLetterConfig: { Arn: arnOf('Queue') } },
  },
  Target: arnOf('Bus'),
  TargetParameters: {
    EventBridgeEventBusParameters: { Source: 'source', DetailType: '$.kind' },
    InputTemplate: '{}',
  },
};

test.each<[string, Resources, (template: Template) => unknown]>([
  ['a value', { Table: table }, (template) => template.resolve({ 'Fn::Sub': 'x' })],
  ['an attribute', { Table: table }, (template) => template.resolve(arnOf('Table'))],
  [
    'an event source',
    { Store: lambda, Source: eventSource('arn:aws:sqs:x') },
    (template) => template.eventSources(),
  ],
  [
    'a pipe with an enrichment',
    {
      ...{ Table: table, Queue: queue() },
      Pipe: { Type: 'AWS::Pipes::Pipe', Properties: { ...PIPE, Enrichment: arnOf('Store') } },
    },
    (template) => template.pipes(),
  ],
  [
    'a route without its function',
    {
      Method: {
        Type: 'AWS::ApiGateway::Method',
        Properties: {
          ...{ HttpMethod: 'POST', ResourceId: arnOf('Api') },
          Integration: { Uri: { Ref: 'GetConfig' } },
        },
      },
    },
    readRestApi,
  ],
])('%s that the local server does not know is refused, not guessed', (_, resources, read) => {
  expect(() => read(templateOf(resources))).toThrow(/cannot resolve|does not know/);
});

test.each([
  ['its own', [settings('*', '/*', 1, 2), settings('POST', '/~1one', 3, 4)], 3, 4],
  ['its own first', [settings('POST', '/~1one', 3, 4), settings('*', '/*', 1, 2)], 3, 4],
  ['those of the stage', [settings('*', '/*', 1, 2), settings('GET', '/~1one', 3, 4)], 1, 2],
])('a route has limits: %s', (_, MethodSettings, requestsPerSecond, burst) => {
  const { routes } = readRestApi(
    templateOf({
      GetConfig: lambda,
      One: {
        Type: 'AWS::ApiGateway::Resource',
        Properties: { ParentId: arnOf('Api'), PathPart: 'one' },
      },
      Method: {
        Type: 'AWS::ApiGateway::Method',
        Properties: {
          ...{ HttpMethod: 'POST', ResourceId: { Ref: 'One' } },
          Integration: { Uri: arnOf('GetConfig') },
        },
      },
      Stage: { Type: 'AWS::ApiGateway::Stage', Properties: { MethodSettings } },
    }),
  );
  expect(routes[0]?.throttle).toEqual({ requestsPerSecond, burst });
});

function settings(HttpMethod: string, ResourcePath: string, rate: number, burst: number) {
  return { HttpMethod, ResourcePath, ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst };
}
