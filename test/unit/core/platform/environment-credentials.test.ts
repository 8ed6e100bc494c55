import { afterEach, expect, test, vi } from 'vitest';
import { environmentCredentials } from '../../../../core/platform/environment-credentials.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

function stub(accessKeyId: string, secretAccessKey: string, sessionToken: string) {
  vi.stubEnv('AWS_ACCESS_KEY_ID', accessKeyId);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', secretAccessKey);
  vi.stubEnv('AWS_SESSION_TOKEN', sessionToken);
}

test('the credentials of the role come from the environment', async () => {
  stub('id', 'secret', 'session');
  expect(await environmentCredentials()).toEqual({
    accessKeyId: 'id',
    secretAccessKey: 'secret',
    sessionToken: 'session',
  });
});

test('a session token is optional', async () => {
  stub('id', 'secret', '');
  expect(await environmentCredentials()).toEqual({ accessKeyId: 'id', secretAccessKey: 'secret' });
});

test.each([
  ['', 'secret'],
  ['id', ''],
])('without the id or the secret there are none (%j, %j)', async (accessKeyId, secretAccessKey) => {
  stub(accessKeyId, secretAccessKey, 'session');
  await expect(environmentCredentials()).rejects.toThrow(
    'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set.',
  );
});
