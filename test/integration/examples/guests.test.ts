import { signIdToken } from 'customer-data-api-deployment/local';
import { LambdaFunction, readCloudAssembly } from 'customer-data-api-local';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { Guests } from '../../../examples/guests/guests.ts';
import { type Given, startAws } from '../../support/aws.ts';
import { PROMO_REQUEST, type Service, startService } from '../../support/service.ts';
import { appFor } from '../../support/stack.ts';

/* The function that hands out a guest's token: the bundle that its stack deploys. */

const START = Date.parse('2026-12-01T09:00:00Z');
const GUEST = 'c4c8a4f8-0000-4000-8000-00000000000e';

let service: Service;
let aws: Awaited<ReturnType<typeof startAws>>;
let newFunction: () => LambdaFunction;

beforeAll(async () => {
  service = await startService();
  aws = await startAws();
  const app = appFor({ 'aws:cdk:bundling-stacks': ['**'] });
  new Guests(app, 'Guests', { userPoolId: 'us-east-1_Pool', appClientId: 'app', guest: 'guest' });
  const { template, assetFolders } = await readCloudAssembly(app.synth().directory);
  newFunction = () => {
    const [definition] = template.functions();
    if (!definition) throw new Error('The stack has no function.');
    const folder = assetFolders.get(definition.codeKey) ?? '';
    const endpoints = aws.environment as never;
    return new LambdaFunction({ definition, folder, endpoints, log: (line) => logs.push(line) });
  };
});
afterAll(async () => {
  await service.stop();
  await aws.stop();
});

const logs: string[] = [];
let lambda: LambdaFunction;
beforeEach(() => {
  logs.length = 0;
  lambda = newFunction();
  return () => lambda.stop();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

/*
 * The answers of AWS have the shapes of its API reference. They were not recorded from AWS:
 * https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_AdminInitiateAuth.html
 * https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetSecretValue.html
 */
const signedIn = (IdToken: string) => ({
  AuthenticationResult: {
    AccessToken: 'access-token',
    ExpiresIn: 3600,
    IdToken,
    RefreshToken: 'refresh-token',
    TokenType: 'Bearer',
  },
  ChallengeParameters: {},
});
const CHALLENGE = {
  ChallengeName: 'NEW_PASSWORD_REQUIRED',
  ChallengeParameters: { USER_ID_FOR_SRP: 'guest', requiredAttributes: '[]' },
  Session: 'session',
};
const error = (__type: string, message: string) => ({ __type, message });
const LOCKED = error('NotAuthorizedException', 'Password attempts exceeded');
const THROTTLED = error('TooManyRequestsException', 'Rate exceeded');

function answer(signIns: Given) {
  aws.answer({
    GetSecretValue: {
      ARN: 'arn:aws:secretsmanager:us-east-1:000000000000:secret:Password-AbCdEf',
      Name: 'Password',
      SecretString: 'a password',
      VersionId: 'a1b2c3d4-5678-90ab-cdef-EXAMPLE11111',
      VersionStages: ['AWSCURRENT'],
      CreatedDate: 1_795_000_000,
    },
    AdminInitiateAuth: signIns,
  });
}

const tokenFor = (expiresInSeconds: number) =>
  signIdToken(service.issuer, { user: GUEST, expiresInSeconds });

interface Response {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body?: string;
}
const call = async () => (await lambda.invoke({})) as Response;
const signIns = () => aws.inputsOf('AdminInitiateAuth');

test('it hands out the ID token alone, of one sign-in to the app client', async () => {
  const token = await tokenFor(3600);
  answer(signedIn(token));
  const responses = [await call(), await call(), await call()];
  for (const response of responses) {
    expect(response).toEqual({
      statusCode: 200,
      headers: { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store' },
      body: token,
    });
  }
  expect(signIns()).toEqual([
    {
      UserPoolId: 'us-east-1_Pool',
      ClientId: 'app',
      AuthFlow: 'ADMIN_USER_PASSWORD_AUTH',
      AuthParameters: { USERNAME: 'guest', PASSWORD: 'a password' },
    },
  ]);
});

/** Loads the function into this thread, whose clock a test can set. */
async function load(): Promise<() => Promise<Response>> {
  const variables = { GUEST: 'guest', POWERTOOLS_LOG_LEVEL: 'SILENT', ...aws.environment };
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  vi.useFakeTimers({ toFake: ['Date'], now: START });
  vi.resetModules();
  const { handler } = await import('../../../examples/guests/handler.ts');
  return handler as () => Promise<Response>;
}
const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);

test.each([
  [3600, 50 * 60],
  [300, 150],
])(
  'a token that lives for %i seconds is renewed after %i, with the password of that moment',
  async (life, after) => {
    const handOut = await load();
    const first = await tokenFor(life);
    pass(after);
    const second = await tokenFor(life);
    vi.setSystemTime(START);
    answer([signedIn(first), signedIn(second)]);
    for (let calls = 0; calls < 10; calls += 1) expect((await handOut()).body).toBe(first);
    pass(after - 1);
    expect((await handOut()).body).toBe(first);
    pass(1);
    for (let calls = 0; calls < 10; calls += 1) expect((await handOut()).body).toBe(second);
    expect(signIns()).toHaveLength(2);
    expect(aws.inputsOf('GetSecretValue')).toHaveLength(2);
  },
);

test.each([
  ['is locked', LOCKED],
  ['gets no answer', () => new Promise<never>(() => {})],
])(
  'while the guest %s, the old token is handed out until it expires, and Cognito is left alone',
  async (_, refusal) => {
    const handOut = await load();
    const token = await tokenFor(3600);
    answer(signedIn(token));
    await handOut();
    answer(refusal);
    pass(51 * 60);
    for (let calls = 0; calls < 5; calls += 1) expect((await handOut()).body).toBe(token);
    expect(signIns()).toHaveLength(1);
    pass(9 * 60);
    expect((await handOut()).statusCode).toBe(503);
    expect(signIns()).toHaveLength(2);
  },
);

test.each([
  ['throttled', THROTTLED],
  ['challenged', CHALLENGE],
])('a guest who is %s from the start is a 503 to retry, without a reason', async (_, refusal) => {
  answer(refusal);
  for (let calls = 0; calls < 5; calls += 1) {
    expect(await call()).toEqual({ statusCode: 503, headers: { 'Retry-After': '10' } });
  }
  expect(signIns()).toHaveLength(1);
  expect(logs.join()).toContain('The guest could not sign in');
  expect(logs.join()).not.toContain('a password');
});

test('with this token, an app gets the configuration, and a code for the guest alone', async () => {
  answer(signedIn(await tokenFor(3600)));
  const headers = { Authorization: `Bearer ${(await call()).body}` };
  expect((await service.getConfig({ headers })).status).toBe(200);
  const apply = (userId: string) =>
    service.applyPromoCode({ headers, body: { ...PROMO_REQUEST, userId } });
  expect((await apply('jane')).status).toBe(403);
  expect((await apply(GUEST)).body.data.outcome).toBe('applied');
});
