import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { rehearsalClient } from '../../../../core/platform/rehearsal-client.ts';

// Unit tests have no network: a call that is sent fails the test.

beforeEach(() => {
  vi.stubEnv('AWS_REGION', 'us-east-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'local');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'local');
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', 'http://127.0.0.1:9');
});
afterEach(() => {
  vi.unstubAllEnvs();
});

test('a call in a rehearsal gets the given answer, and is not sent', async () => {
  const documentClient = rehearsalClient({ Item: { clientId: { S: 'demo' } } });
  const call = new GetCommand({ TableName: 'Configs', Key: { clientId: 'demo' } });
  expect((await documentClient.send(call)).Item).toEqual({ clientId: 'demo' });
});
