import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  cloudFormationClient,
  documentClient,
  eventBridgeClient,
  sqsClient,
  streamsClient,
  stsClient,
} from '../../../cli/aws-clients.ts';
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
