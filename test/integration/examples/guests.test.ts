import { signIdToken } from 'customer-data-api-deployment/local';
import { LambdaFunction, readCloudAssembly } from 'customer-data-api-local';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Guests } from '../../../examples/guests/guests.ts';
import { type Answer, startAws } from '../../support/aws.ts';
import { PROMO_REQUEST, type Service, startService } from '../../support/service.ts';
import { appFor } from '../../support/stack.ts';

/* The function that hands out a guest's token: the bundle that its stack deploys. */

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
    const endpoints = { ...aws.environment, POWERTOOLS_LOG_LEVEL: 'SILENT' };
    return new LambdaFunction({ definition, folder, endpoints: endpoints as never, log: () => {} });
  };
});
afterAll(async () => {
  await service.stop();
  await aws.stop();
});

let lambda: LambdaFunction;
beforeEach(() => {
  lambda = newFunction();
  return () => lambda.stop();
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

function answer(...answers: Answer[]) {
  aws.answer({
    GetSecretValue: {
      ARN: 'arn:aws:secretsmanager:us-east-1:000000000000:secret:Password-AbCdEf',
      Name: 'Password',
      SecretString: 'a password',
      VersionId: 'a1b2c3d4-5678-90ab-cdef-EXAMPLE11111',
      VersionStages: ['AWSCURRENT'],
      CreatedDate: 1_795_000_000,
    },
    AdminInitiateAuth: answers,
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

test('a token is renewed before it expires, with the password of that moment', async () => {
  const [first, second] = [await tokenFor(300), await tokenFor(3600)];
  answer(signedIn(first), signedIn(second));
  expect((await call()).body).toBe(first);
  expect((await call()).body).toBe(second);
  expect((await call()).body).toBe(second);
  expect(aws.inputsOf('GetSecretValue')).toHaveLength(2);
});

test.each([
  ['is locked', LOCKED],
  ['is throttled', THROTTLED],
  ['has to choose a password', CHALLENGE],
])(
  'while the guest %s, the old token is handed out, and Cognito is left alone',
  async (_, refusal) => {
    const token = await tokenFor(300);
    answer(signedIn(token), refusal);
    const bodies = [];
    for (let calls = 0; calls < 5; calls += 1) bodies.push((await call()).body);
    expect(bodies).toEqual(Array(5).fill(token));
    // One that worked, and one that did not.
    expect(signIns()).toHaveLength(2);
  },
);

test.each([
  ['locked', LOCKED],
  ['throttled', THROTTLED],
  ['challenged', CHALLENGE],
])('a guest who is %s from the start is a 503 to retry, without a reason', async (_, refusal) => {
  answer(refusal);
  for (let calls = 0; calls < 5; calls += 1) {
    expect(await call()).toEqual({ statusCode: 503, headers: { 'Retry-After': '10' } });
  }
  expect(signIns()).toHaveLength(1);
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
