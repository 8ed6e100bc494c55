import { afterEach, expect, test, vi } from 'vitest';
import { AttemptTimeoutHandler } from '../../../../core/platform/attempt-timeout.ts';
import { awsClientSettings } from '../../../../core/platform/aws-client-settings.ts';
import { environmentCredentials } from '../../../../core/platform/environment-credentials.ts';
import { Sha256 } from '../../../../core/platform/sha256.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

test('every setting that a client would look up has a value', () => {
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  expect(awsClientSettings('SQS', 'https://sqs.example.com')).toEqual({
    region: 'eu-central-1',
    endpoint: 'https://sqs.example.com',
    credentials: environmentCredentials,
    maxAttempts: 3,
    retryMode: 'standard',
    requestHandler: expect.any(AttemptTimeoutHandler),
    sha256: Sha256,
    defaultsMode: 'standard',
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    authSchemePreference: ['sigv4'],
    userAgentAppId: 'customer-data-api',
  });
});

test('without a region, there is none to look up either', () => {
  vi.stubEnv('AWS_REGION', undefined);
  expect(awsClientSettings('SQS', 'https://sqs.example.com').region).toBe('');
});

test.each([
  [{ AWS_ENDPOINT_URL: 'http://all' }, 'http://all'],
  [{ AWS_ENDPOINT_URL_SQS: 'http://sqs' }, 'http://sqs'],
  [{ AWS_ENDPOINT_URL: 'http://all', AWS_ENDPOINT_URL_SQS: 'http://sqs' }, 'http://sqs'],
  [{ AWS_ENDPOINT_URL_DYNAMODB: 'http://dynamodb' }, 'https://sqs.example.com'],
])('with %j the endpoint of SQS is %s', (variables, endpoint) => {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  expect(awsClientSettings('SQS', 'https://sqs.example.com')).toMatchObject({ endpoint });
});
