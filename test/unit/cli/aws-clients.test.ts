import { describe, expect, test } from 'vitest';
import { documentClient, sqsClient } from '../../../cli/aws-clients.ts';
import type { Outputs } from '../../../cli/outputs.ts';

const OUTPUTS: Outputs = {
  ApiUrl: 'https://api.example.com',
  ConfigsTableName: 'configs',
  ConfigVersionsTableName: 'versions',
  PromoEventsTableName: 'events',
  PromoEventsQueueUrl: 'https://127.0.0.1:4566/1/queue',
  PromoEventsDeadLetterQueueUrl: 'https://sqs.eu-central-1.amazonaws.com/1/dead-letters',
  PromoEventsBusName: 'bus',
  PromoEventsBusDeadLetterQueueUrl: 'https://sqs.eu-central-1.amazonaws.com/1/bus-dead-letters',
  Region: 'eu-central-1',
  UserIdClaim: 'sub',
  UserPoolId: 'eu-central-1_Pool',
  UserPoolClientId: 'client',
};

describe.each([
  ['documentClient', documentClient],
  ['sqsClient', sqsClient],
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
      SqsEndpoint: 'http://127.0.0.1:2',
    });
    expect(await config.endpoint?.()).toMatchObject({ hostname: '127.0.0.1' });
  });
});

test('sqsClient calls the endpoint of its service, not the host in the URL of a queue', () => {
  expect(sqsClient(OUTPUTS).config.useQueueUrlAsEndpoint).toBe(false);
});
