import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { listen } from 'customer-data-api-deployment/local';
import { createSignInServer, EVENTS_FILE, storeCanary } from 'customer-data-api-local';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { CANARY_CLIENT_ID } from '../../../core/promo-events/canary.ts';
import { applyPromoCode } from '../../../functions/apply-promo-code/operation.ts';
import { startService } from '../../support/service.ts';

const service = await startService();
const { outputs, issuer } = service;
const { ApiUrl, ConfigsTableName, DynamoDbEndpoint } = outputs;
await storeCanary(DynamoDbEndpoint, ConfigsTableName, issuer.userPoolClientId);
const url = `${ApiUrl}${applyPromoCode.path}`;
const signIn = createSignInServer(issuer, 'sub', service.servers.jwks);
const SignInEndpoint = await listen(signIn);
const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
afterAll(async () => {
  vi.unstubAllEnvs();
  signIn.close();
  await service.stop();
});
beforeEach(() => printed.mockClear());

/** Runs the canary. Returns the value of its metric, and the message of its error. */
async function run(changes: Readonly<Record<string, string>> = {}) {
  vi.resetModules();
  const variables = {
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_REGION: 'us-east-1',
    AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: SignInEndpoint,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: SignInEndpoint,
    CANARY_SECRET_ARN: 'arn:aws:secretsmanager:us-east-1:123456789012:secret:canary-AbCdEf',
    CANARY_URL: url,
    CANARY_USER_POOL_CLIENT_ID: issuer.userPoolClientId,
    LOG_INTERVAL_SECONDS: '0',
    POWERTOOLS_METRICS_DISABLED: 'false',
    POWERTOOLS_METRICS_NAMESPACE: 'CustomerDataApi',
    POWERTOOLS_SERVICE_NAME: 'canary',
    STAGE_NAME: 'dev',
    USER_ID_CLAIM: 'sub',
    ...changes,
  };
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  const { handler } = await import('../../../functions/canary/handler.ts');
  const error = await handler().catch(({ message }: Error) => message);
  const [[line] = []] = printed.mock.calls;
  return [JSON.parse(String(line)).CanaryFailed, error];
}

/** Runs the canary against a server with these responses, one after the other. */
async function runAgainst(
  responses: readonly (readonly [status: number, body: string])[],
  ...variables: readonly string[]
) {
  const waiting = [...responses];
  const server = createServer((_, response) => {
    const [status, body] = waiting.shift() ?? [500, ''];
    response.writeHead(status).end(body);
  });
  const origin = await listen(server);
  const result = await run(Object.fromEntries(variables.map((name) => [name, origin])));
  server.close();
  return result;
}

test('one item is applied, one repeated; they expire soon and reach no consumer', async () => {
  expect(await run()).toEqual([0, undefined]);
  const items = await service.promoEvents(CANARY_CLIENT_ID);
  expect(items.map(({ kind }) => kind).sort()).toEqual(['applied', 'repeated']);
  const inTwoDays = Date.now() / 1000 + 2 * 24 * 60 * 60;
  for (const { expiresAt } of items) expect(expiresAt).toBeLessThan(inTwoDays);
  await service.applyPromoCode();
  const events = (await readFile(join(service.folder, EVENTS_FILE), 'utf8')).trimEnd().split('\n');
  expect(events).toHaveLength(1);
});

test('each run has another code', async () => {
  const before = await service.promoEvents(CANARY_CLIENT_ID);
  expect(await run()).toEqual([0, undefined]);
  expect(await service.promoEvents(CANARY_CLIENT_ID)).toHaveLength(before.length + 2);
});

const [applied, repeated, queued] = ['applied', 'repeated', 'queued'].map(
  (outcome) => [200, JSON.stringify({ data: { outcome } })] as const,
) as [[200, string], [200, string], [200, string]];

test.each([
  ['applied twice', [applied, applied, applied]],
  ['known before it was sent', [repeated, repeated, repeated]],
  ['not the application that was', [applied, repeated, repeated]],
  ['applied twice, while a request waits', [applied, applied, queued]],
  ['applied twice, after one that waits', [queued, applied, applied]],
  ['known before it was sent, while requests wait', [repeated, queued, queued]],
  ['never stored', [queued, queued, queued]],
  ['refused', [[401, '{"message":"Unauthorized"}']]],
  ['answered by something else', [[200, '<html>']]],
  ['answered without an outcome', [applied, [200, '{"data":{}}']]],
] as const)('a code that is %s is a failure', async (_, responses) => {
  expect(await runAgainst(responses, 'CANARY_URL')).toEqual([1, expect.any(String)]);
});

test.each([
  [[queued, applied, repeated]],
  [[queued, queued, applied]],
  [[applied, queued, applied]],
  [[applied, repeated, queued]],
] as const)('a request that waits in the queue is not lost', async (responses) => {
  expect(await runAgainst(responses, 'CANARY_URL')).toEqual([0, undefined]);
});

test('a secret that cannot be used is a failure, and is not in the log', async () => {
  const ofSecret = (SecretString: string) =>
    runAgainst(
      [
        [200, JSON.stringify({ SecretString })],
        [200, '{"AuthenticationResult":{"IdToken":"e30.e30.e30"}}'],
      ],
      'AWS_ENDPOINT_URL_SECRETS_MANAGER',
      'AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER',
    );
  const account = { username: 'canary', password: 'hunter2', appId: 'hunter2' };
  const unsendable = JSON.stringify({ ...account, appId: 'hunter2\nhunter2' });
  for (const secret of ['hunter2', '{"password":"hunter2"}', JSON.stringify(account), unsendable]) {
    const [failed, message] = await ofSecret(secret);
    expect(failed).toBe(1);
    expect(message).not.toContain('hunter2');
  }
});

test('a user who must answer a challenge is a failure', async () => {
  const challenge = [200, '{"ChallengeName":"NEW_PASSWORD_REQUIRED"}'] as const;
  const result = await runAgainst([challenge], 'AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER');
  expect(result).toEqual([1, expect.stringContaining('NEW_PASSWORD_REQUIRED')]);
});

test('a secret in another Region is read there', async () => {
  const scopes: unknown[] = [];
  const server = createServer(({ headers }, response) => {
    scopes.push(headers.authorization);
    response.writeHead(400).end('{"__type":"ResourceNotFoundException"}');
  });
  const CANARY_SECRET_ARN = 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:canary-AbCdEf';
  const AWS_ENDPOINT_URL_SECRETS_MANAGER = await listen(server);
  await run({ CANARY_SECRET_ARN, AWS_ENDPOINT_URL_SECRETS_MANAGER });
  server.close();
  expect(scopes).toEqual([expect.stringContaining('/eu-west-1/secretsmanager/')]);
});
