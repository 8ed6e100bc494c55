import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { ChallengeNameType } from '@aws-sdk/client-cognito-identity-provider';
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

/** Runs the canary. Returns whom its metrics tell, and the message of its error. */
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
  const [line] = printed.mock.lastCall ?? [];
  const { CanaryFailed, CanaryAtFault } = JSON.parse(String(line));
  // Both have a value after each run: without one, an alarm would take it for missing.
  const told = { '0 0': 'nobody', '1 0': 'page', '0 1': 'inform' };
  return [Object(told)[`${CanaryFailed} ${CanaryAtFault}`], error];
}

/** Runs the canary against a server with these responses, one after the other. */
async function runAgainst(
  responses: readonly (readonly [status: number, body: string])[],
  ...variables: readonly string[]
) {
  const waiting = [...responses];
  const server = createServer((_, response) => {
    // The SDK repeats calls that are throttled.
    const [status, body] = (waiting.length > 1 ? waiting.shift() : waiting[0]) ?? [500, ''];
    response.writeHead(status).end(body);
  });
  const origin = await listen(server);
  const result = await run(Object.fromEntries(variables.map((name) => [name, origin])));
  server.close();
  return result;
}

test('one item is applied, one repeated; they expire soon and reach no consumer', async () => {
  expect(await run()).toEqual(['nobody', undefined]);
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
  expect(await run()).toEqual(['nobody', undefined]);
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
  expect(await runAgainst(responses, 'CANARY_URL')).toEqual(['page', expect.any(String)]);
});

test.each([
  [[queued, applied, repeated]],
  [[queued, queued, applied]],
  [[applied, queued, applied]],
  [[applied, repeated, queued]],
] as const)('a request that waits in the queue is not lost', async (responses) => {
  expect(await runAgainst(responses, 'CANARY_URL')).toEqual(['nobody', undefined]);
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
  for (const [secret, told] of [
    ['hunter2', 'inform'],
    ['{"password":"hunter2"}', 'inform'],
    [JSON.stringify({ ...account, username: '' }), 'inform'],
    [JSON.stringify({ ...account, password: '' }), 'inform'],
    [unsendable, 'inform'],
    // The API refuses it.
    [JSON.stringify(account), 'page'],
  ] as const) {
    const [actual, message] = await ofSecret(secret);
    expect(actual).toBe(told);
    expect(message).not.toContain('hunter2');
  }
});

const COGNITO = 'AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER';
const SECRETS = 'AWS_ENDPOINT_URL_SECRETS_MANAGER';
const refusal = (__type: string, message = 'Refused.', status = 400) =>
  [status, JSON.stringify({ __type, message })] as const;
const challenge = (ChallengeName: string) => [200, JSON.stringify({ ChallengeName })] as const;

test.each([
  ...Object.values(ChallengeNameType).map((name) => [name, COGNITO, challenge(name)] as const),
  ['NEW_CHALLENGE', COGNITO, challenge('NEW_CHALLENGE')],
  ['no user', COGNITO, refusal('UserNotFoundException')],
  ['a wrong password', COGNITO, refusal('NotAuthorizedException')],
  ['no app client', COGNITO, refusal('ResourceNotFoundException')],
  ['a flow that is off', COGNITO, refusal('InvalidParameterException')],
  ['no secret', SECRETS, refusal('ResourceNotFoundException')],
  ['a secret that is being deleted', SECRETS, refusal('InvalidRequestException')],
  ['another key', SECRETS, refusal('AccessDeniedException')],
  ['an empty secret', SECRETS, [200, '{"SecretString":"{}"}']],
] as const)('its own fault informs and does not page: %s', async (_, service, response) => {
  expect(await runAgainst([response], service)).toEqual(['inform', expect.any(String)]);
});

const failed = (call: string) => expect.stringContaining(`${call} failed with `);

test.each([
  ['throttling', COGNITO, refusal('TooManyRequestsException')],
  ['a failure', COGNITO, refusal('InternalErrorException', 'Failed.', 500)],
  ['a trigger', COGNITO, refusal('UserLambdaValidationException', 'NotAuthorizedException')],
  ['a web ACL', COGNITO, refusal('ForbiddenException')],
  ['an error that AWS does not list', COGNITO, refusal('LimitExceededException')],
  ['neither token nor challenge', COGNITO, [200, '{}']],
  ['a token that cannot be read', COGNITO, [200, '{"AuthenticationResult":{"IdToken":"e30"}}']],
  ['something else that answers', COGNITO, [502, '<html>']],
  ['throttling', SECRETS, refusal('ThrottlingException')],
  ['a failure', SECRETS, refusal('InternalServiceError', 'Failed.', 500)],
  ['credentials that have expired', SECRETS, refusal('ExpiredTokenException')],
] as const)(
  'what customers may meet too pages, and names the call: %s of %s',
  async (_, service, response) => {
    const call = service === COGNITO ? 'InitiateAuth' : 'GetSecretValue';
    expect(await runAgainst([response], service)).toEqual(['page', failed(call)]);
  },
);

test.each([
  [COGNITO, failed('InitiateAuth')],
  [SECRETS, failed('GetSecretValue')],
  ['CANARY_URL', 'fetch failed'],
])('a service that cannot be reached pages: %s', async (name, message) => {
  expect(await run({ [name]: 'http://127.0.0.1:1' })).toEqual(['page', message]);
});

test('the error says what to do: not the same for a password, a factor and a secret of the app client', async () => {
  const messageOf = async (response: readonly [number, string]) =>
    (await runAgainst([response], COGNITO))[1];
  const messages = [
    await messageOf(challenge('NEW_PASSWORD_REQUIRED')),
    await messageOf(challenge('SOFTWARE_TOKEN_MFA')),
    await messageOf(challenge('NEW_CHALLENGE')),
    await messageOf(refusal('InvalidParameterException', 'USER_PASSWORD_AUTH flow not enabled')),
    await messageOf(refusal('NotAuthorizedException', 'Incorrect username or password.')),
    await messageOf(
      refusal(
        'NotAuthorizedException',
        'Client 1a2b is configured with secret but SECRET_HASH was not received',
      ),
    ),
  ];
  expect(messages).toEqual([
    expect.stringContaining('admin-set-user-password'),
    expect.stringContaining('admin-set-user-mfa-preference'),
    'Cognito asks for NEW_CHALLENGE. Let the user sign in with the password alone.',
    expect.stringMatching(/ flow not enabled\. The app client .*ALLOW_USER_PASSWORD_AUTH/),
    expect.stringMatching(/Incorrect username or password\..*admin-set-user-password/),
    expect.stringMatching(/SECRET_HASH.*appClient/),
  ]);
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
