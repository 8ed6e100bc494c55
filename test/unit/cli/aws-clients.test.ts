import { GetAccountCommand } from '@aws-sdk/client-api-gateway';
import { DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { DescribeStreamCommand } from '@aws-sdk/client-dynamodb-streams';
import { PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { GetAccountSettingsCommand } from '@aws-sdk/client-lambda';
import { ListSubscriptionsByTopicCommand } from '@aws-sdk/client-sns';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { GetCallerIdentityCommand } from '@aws-sdk/client-sts';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { callOf } from '../../../cli/aws-call.ts';
import {
  cloudFormationClient,
  documentClient,
  dynamodbClient,
  eventBridgeClient,
  sqsClient,
  streamsClient,
  stsClient,
} from '../../../cli/aws-clients.ts';
import {
  apiGatewayClient,
  cloudWatchClient,
  lambdaClient,
  snsClient,
} from '../../../cli/doctor/aws-clients.ts';
import type { Outputs } from '../../../cli/outputs.ts';
import { OUTPUTS as DEPLOYMENT } from '../../support/outputs.ts';

const OUTPUTS: Outputs = {
  ...DEPLOYMENT,
  PromoEventsQueueUrl: 'https://127.0.0.1:4566/1/queue',
  Region: 'eu-central-1',
};

afterEach(() => vi.unstubAllEnvs());

describe.each([
  ['documentClient', documentClient],
  ['sqsClient', sqsClient],
  ['streamsClient', streamsClient],
  ['eventBridgeClient', eventBridgeClient],
])('%s', (_, clientOf) => {
  test('uses the region of the deployment and the endpoint of AWS', async () => {
    const { config } = clientOf(OUTPUTS);
    expect(await config.region()).toBe('eu-central-1');
    expect(await config.endpoint?.()).toBeUndefined();
  });

  test('uses the endpoint of the local server', async () => {
    const { config } = clientOf({
      ...OUTPUTS,
      DynamoDbEndpoint: 'http://127.0.0.1:1',
      EventBridgeEndpoint: 'http://127.0.0.1:3',
      SqsEndpoint: 'http://127.0.0.1:2',
    });
    expect(await config.endpoint?.()).toMatchObject({ hostname: '127.0.0.1' });
  });
});

test('sqsClient calls the endpoint of its service, not the host in the URL of a queue', () => {
  expect(sqsClient(OUTPUTS).config.useQueueUrlAsEndpoint).toBe(false);
});

test('stsClient uses the region of the deployment', async () => {
  expect(await stsClient(OUTPUTS).config.region()).toBe('eu-central-1');
});

test('cloudFormationClient uses the given region, or else that of the environment', async () => {
  const regionOf = (region?: string) => cloudFormationClient(region).config.region();
  vi.stubEnv('AWS_DEFAULT_REGION', 'eu-west-1');
  vi.stubEnv('AWS_REGION', '');
  expect(await regionOf()).toBe('eu-west-1');
  vi.stubEnv('AWS_REGION', 'eu-west-2');
  expect(await regionOf()).toBe('eu-west-2');
  expect(await regionOf('eu-west-3')).toBe('eu-west-3');
});

/** A client, as far as all have it in common. */
interface AnyClient {
  readonly send: (command: never) => Promise<unknown>;
  readonly middlewareStack: { readonly add: (middleware: () => unknown, options: object) => void };
}

const LOCAL = {
  DynamoDbEndpoint: 'http://a',
  EventBridgeEndpoint: 'http://a',
  SqsEndpoint: 'http://a',
};
const stream = new DescribeStreamCommand({ StreamArn: 's' });
const table = new GetItemCommand({ TableName: 't', Key: {} });
const query = new QueryCommand({ TableName: 't' });
const message = new SendMessageCommand({ QueueUrl: 'q', MessageBody: '' });
const published = new PutEventsCommand({ Entries: [] });

test.each<[string, (outputs: Outputs) => object, object]>([
  ['dynamodb:GetItem on t', dynamodbClient, table],
  ['dynamodb:Query on t', documentClient, query],
  ['dynamodb:DescribeStream on s', streamsClient, stream],
  ['sqs:SendMessage on q', sqsClient, message],
  ['events:PutEvents', eventBridgeClient, published],
  ['sts:GetCallerIdentity', stsClient, new GetCallerIdentityCommand()],
  ['cloudformation:DescribeStacks', () => cloudFormationClient('x'), new DescribeStacksCommand()],
  ['apigateway:GET', () => apiGatewayClient('x'), new GetAccountCommand()],
  ['cloudwatch:DescribeAlarms', () => cloudWatchClient('x'), new DescribeAlarmsCommand()],
  ['lambda:GetAccountSettings', () => lambdaClient('x'), new GetAccountSettingsCommand()],
  [
    'sns:ListSubscriptionsByTopic on t',
    () => snsClient('x'),
    new ListSubscriptionsByTopicCommand({ TopicArn: 't' }),
  ],
])(
  'a call that fails is named %s, as in IAM, in AWS and on this machine',
  async (call, clientOf, command) => {
    for (const outputs of [OUTPUTS, { ...OUTPUTS, ...LOCAL }]) {
      const client = clientOf(outputs) as AnyClient;
      const error = new Error('No.');
      client.middlewareStack.add(() => () => Promise.reject(error), {
        step: 'initialize',
        priority: 'low',
      });
      await expect(client.send(command as never)).rejects.toBe(error);
      expect(callOf(error)).toBe(call);
    }
  },
);
