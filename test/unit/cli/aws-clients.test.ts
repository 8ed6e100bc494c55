import { describe, expect, test } from 'vitest';
import { documentClient, sqsClient } from '../../../cli/aws-clients.ts';
import type { Outputs } from '../../../cli/outputs.ts';
import { OUTPUTS as DEPLOYMENT } from '../../support/outputs.ts';

const OUTPUTS: Outputs = {
  ...DEPLOYMENT,
  PromoEventsQueueUrl: 'https://127.0.0.1:4566/1/queue',
  Region: 'eu-central-1',
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
