import { afterEach, expect, test, vi } from 'vitest';
import { findEnvironment } from '../../e2e/environment.ts';

afterEach(() => vi.unstubAllEnvs());

test.each([
  'https://dynamodb.eu-central-1.amazonaws.com',
  'https://cognito-idp.cn-north-1.amazonaws.com.cn',
  'https://lambda.us-east-1.api.aws',
])('%s is AWS, and refused', async (url) => {
  vi.stubEnv('AWS_ENDPOINT_URL', url);
  await expect(findEnvironment(false)).rejects.toThrow('--really-aws');
});

test('an emulator run gets no setting or credential that could reach AWS', async () => {
  vi.stubEnv('AWS_ENDPOINT_URL', 'http://127.0.0.1:4566');
  vi.stubEnv('AWS_PROFILE', 'production');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIAEXAMPLE');
  vi.stubEnv('AWS_SESSION_TOKEN', 'token');
  vi.stubEnv('AWS_IGNORE_CONFIGURED_ENDPOINT_URLS', 'true');
  const { variables, endpoint } = await findEnvironment(false);
  expect(endpoint).toBe('http://127.0.0.1:4566');
  expect(variables).toMatchObject({ AWS_ACCESS_KEY_ID: 'test', AWS_ENDPOINT_URL: endpoint });
  const names = Object.keys(variables);
  for (const name of ['PROFILE', 'SESSION_TOKEN', 'IGNORE_CONFIGURED_ENDPOINT_URLS']) {
    expect(names).not.toContain(`AWS_${name}`);
  }
});

test('a run on AWS gets the unchanged environment, if AWS was requested', async () => {
  vi.stubEnv('AWS_PROFILE', 'sandbox');
  const { variables, endpoint } = await findEnvironment(true);
  expect(endpoint).toBeUndefined();
  expect(variables.AWS_PROFILE).toBe('sandbox');
});
