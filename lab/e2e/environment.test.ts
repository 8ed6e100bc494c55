import { afterEach, expect, test, vi } from 'vitest';
import { environmentOf } from './environment.ts';

afterEach(() => vi.unstubAllEnvs());

test('a run gets no setting or credential that could reach AWS, unless it is for AWS', () => {
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', 'https://dynamodb.eu-central-1.amazonaws.com');
  vi.stubEnv('AWS_PROFILE', 'production');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIAEXAMPLE');
  vi.stubEnv('AWS_SESSION_TOKEN', 'token');
  const ministack = { url: 'https://127.0.0.1:4566', certificateFile: 'server.crt' };
  const variables = environmentOf(ministack);
  expect(JSON.stringify(variables)).not.toMatch(/amazonaws|production|AKIAEXAMPLE|"token"/);
  expect(variables).toMatchObject({ AWS_ACCESS_KEY_ID: 'test', AWS_ENDPOINT_URL: ministack.url });
  expect(environmentOf(undefined)).toMatchObject({ AWS_PROFILE: 'production' });
});
