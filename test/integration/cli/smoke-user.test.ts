import { SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Outputs } from '../../../cli/outputs.ts';
import { Cleanup } from '../../../cli/smoke/cleanup.ts';
import { createUser, type User } from '../../../cli/smoke/user.ts';
import { type Answers, startFakeAws } from '../../support/fake-aws.ts';

/* What the checks of a deployment ask of Cognito, which no local server replaces. */

let aws: Awaited<ReturnType<typeof startFakeAws>>;
beforeAll(async () => {
  aws = await startFakeAws();
});
afterAll(() => aws.stop());
beforeEach(() => {
  for (const [name, value] of Object.entries(aws.environment)) vi.stubEnv(name, value);
});
afterEach(() => vi.unstubAllEnvs());

const UserPoolId = 'eu-west-3_Example';
const OUTPUTS = { UserPoolId, UserPoolClientId: 'first,second' };

/** Creates a user, removes it again, and returns what was printed meanwhile. */
async function createAndRemove(
  UserIdClaim: string,
  changed: Answers = {},
): Promise<{ readonly user: User; readonly printed: readonly string[] }> {
  const IdToken = await new SignJWT({ 'custom:userId': 'jane' })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject('subject')
    .sign(new Uint8Array(32));
  aws.answer({
    ...{ AdminCreateUser: {}, AdminSetUserPassword: {}, AdminDeleteUser: {} },
    AdminInitiateAuth: { AuthenticationResult: { IdToken, AccessToken: 'access' } },
    ...changed,
  });
  const printed: string[] = [];
  await using cleanup = new Cleanup((line) => printed.push(line));
  const outputs = { ...OUTPUTS, UserIdClaim } as Outputs;
  return { user: await createUser(outputs, undefined, cleanup), printed };
}

test('the user gets no message, signs in with the first app client, and is removed', async () => {
  const { user, printed } = await createAndRemove('sub');
  expect(user).toMatchObject({ accessToken: 'access', userId: 'subject' });
  const [created] = aws.inputsOf('AdminCreateUser');
  const Username = created?.Username;
  expect(created).toEqual({
    ...{ UserPoolId, Username: expect.stringMatching(/^smoke-/), MessageAction: 'SUPPRESS' },
  });
  const [password] = aws.inputsOf('AdminSetUserPassword');
  const Password = expect.any(String);
  expect(password).toEqual({ UserPoolId, Username, Password, Permanent: true });
  expect(aws.inputsOf('AdminInitiateAuth')).toEqual([
    {
      ...{ UserPoolId, ClientId: 'first', AuthFlow: 'ADMIN_USER_PASSWORD_AUTH' },
      AuthParameters: { USERNAME: Username, PASSWORD: password?.Password },
    },
  ]);
  expect(aws.inputsOf('AdminDeleteUser')).toEqual([{ UserPoolId, Username }]);
  expect(new Set(aws.signedBy)).toEqual(new Set(['test eu-west-3']));
  expect(printed).toEqual([]);
});

test('the user has the attribute that binds tokens to a userId', async () => {
  const { user } = await createAndRemove('custom:userId');
  expect(user.userId).toBe('jane');
  const [created] = aws.inputsOf('AdminCreateUser');
  expect(created?.UserAttributes).toEqual([{ Name: 'custom:userId', Value: created?.Username }]);
});

test('a user that Cognito does not remove is named', async () => {
  const { printed } = await createAndRemove('none', { AdminDeleteUser: undefined });
  expect(printed).toEqual([
    expect.stringMatching(/^NOT REMOVED: the user smoke-\S+\. Remove it by hand\. \w+/),
  ]);
});
