import { SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Outputs } from '../../../cli/outputs.ts';
import { Cleanup } from '../../../cli/smoke/cleanup.ts';
import { createClient } from '../../../cli/smoke/client.ts';
import { createUser, type User } from '../../../cli/smoke/user.ts';
import { type Answers, startFakeAws } from '../../support/fake-aws.ts';
import { OUTPUTS as DEPLOYMENT } from '../../support/outputs.ts';

/* What the checks of a deployment ask of AWS: of Cognito, which no local server replaces, and of DynamoDB. */

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
): Promise<{ readonly user: User; readonly idToken: string; readonly printed: readonly string[] }> {
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
  return { user: await createUser(outputs, undefined, cleanup), idToken: IdToken, printed };
}

test('the user gets no message, signs in with the first app client, and is removed', async () => {
  const { user, idToken, printed } = await createAndRemove('sub');
  expect(user).toEqual({
    ...{ idToken, accessToken: 'access', expiredIdToken: undefined, userId: 'subject' },
  });
  const [created] = aws.inputsOf('AdminCreateUser');
  const Username = created?.Username;
  expect(created).toEqual({
    ...{ UserPoolId, Username: expect.stringMatching(/^smoke-/), MessageAction: 'SUPPRESS' },
  });
  const [password] = aws.inputsOf('AdminSetUserPassword');
  // Password policies can require a character of each kind.
  const Password = expect.stringMatching(/^[-\w]{32}aA1!$/);
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

test('a pool whose users sign in with e-mail addresses gets one, and both names are removed', async () => {
  const { user, printed } = await createAndRemove('sub', {
    AdminCreateUser: ({ Username }) =>
      String(Username).includes('@') ? {} : { __type: 'InvalidParameterException' },
    AdminDeleteUser: ({ Username }) =>
      String(Username).includes('@') ? {} : { __type: 'UserNotFoundException' },
  });
  expect(user.userId).toBe('subject');
  const names = aws.inputsOf('AdminCreateUser').map(({ Username }) => Username);
  expect(names).toEqual([
    expect.stringMatching(/^smoke-[-\w]+$/),
    expect.stringMatching(/^smoke-[-\w]+@example\.com$/),
  ]);
  const [{ AuthParameters } = {}] = aws.inputsOf('AdminInitiateAuth');
  expect(AuthParameters).toMatchObject({ USERNAME: names[1] });
  expect(aws.inputsOf('AdminDeleteUser').map(({ Username }) => Username)).toEqual(names.reverse());
  // That the first one does not exist is no failure.
  expect(printed).toEqual([]);
});

test.each<[string, string, Answers, RegExp]>([
  [
    'the pool requires a second factor',
    'sub',
    { AdminInitiateAuth: { ChallengeName: 'SMS_MFA', Session: 'session' } },
    /^Cognito asks for more than the password: .* second factor\.$/,
  ],
  [
    'the response lacks the access token',
    'sub',
    { AdminInitiateAuth: { AuthenticationResult: { IdToken: 'a.b.c' } } },
    /^Cognito asks for more than the password: /,
  ],
  [
    'the token lacks the claim that binds it',
    'custom:other',
    {},
    /^The ID token has no claim custom:other, which the setting userIdClaim names: /,
  ],
  [
    'a user exists already',
    'sub',
    { AdminCreateUser: { __type: 'UsernameExistsException', message: 'There is one.' } },
    /^cognito-idp:AdminCreateUser on \S+ failed\. UsernameExistsException: There is one\.$/,
  ],
])(
  'the run ends in one line if %s, and the user is removed',
  async (_, claim, answers, expected) => {
    const creating = createAndRemove(claim, answers);
    await expect(creating).rejects.toThrow(expected);
    await expect(creating).rejects.toMatchObject({ exitCode: 1 });
    const names = (operation: string) => aws.inputsOf(operation).map(({ Username }) => Username);
    expect(names('AdminDeleteUser')).toEqual(names('AdminCreateUser'));
  },
);

test('if AWS refuses a call, the run names all calls and the flow that the checks need', async () => {
  await createAndRemove('sub');
  const needed = [...new Set(aws.calls)].sort();
  const [{ AuthFlow } = {}] = aws.inputsOf('AdminInitiateAuth');
  const { message } = await createAndRemove('sub', { AdminCreateUser: undefined }).then(
    () => expect.unreachable(),
    (error: Error) => error,
  );
  const [, advice = ''] = message.split('The checks need AWS credentials that allow ');
  expect(advice.match(/\bAdmin\w+/g)?.sort()).toEqual(needed);
  expect(advice).toMatch(
    new RegExp(` on the user pool, and an app client with the flow ${AuthFlow}\\.$`),
  );
});

test('the client accepts the app client of the user only, and replaces none', async () => {
  aws.answer({ PutItem: {}, Query: { Items: [], Count: 0 }, DeleteItem: {} });
  const outputs: Outputs = { ...DEPLOYMENT, UserPoolClientId: 'first,second' };
  {
    await using cleanup = new Cleanup(() => expect.unreachable('everything must be removed'));
    await createClient(outputs, cleanup);
  }
  const [put] = aws.inputsOf('PutItem');
  const clientId = { S: expect.stringMatching(/^smoke-/) };
  expect(put).toMatchObject({
    TableName: outputs.ConfigsTableName,
    ConditionExpression: 'attribute_not_exists(clientId)',
    Item: { clientId, userPoolClientIds: { L: [{ S: 'first' }] } },
  });
  const { Item } = Object(put);
  // Otherwise the history would take it for an edit by hand.
  expect(Item.lastChange.M).toMatchObject({
    ...{ by: { S: 'customer-data smoke' }, creates: Item.clientId, removes: { BOOL: true } },
    message: { S: 'For the checks, which remove it' },
  });
  expect(aws.inputsOf('DeleteItem')).toEqual([
    { TableName: outputs.ConfigsTableName, Key: { clientId: Item.clientId } },
  ]);
  for (const query of aws.inputsOf('Query')) {
    expect(query).toMatchObject({
      TableName: outputs.PromoEventsTableName,
      ConsistentRead: true,
      ExpressionAttributeValues: { ':clientId': Item.clientId },
    });
  }
});

test('a client whose response was lost is removed all the same, and the run ends', async () => {
  aws.answer({ Query: { Items: [], Count: 0 }, DeleteItem: {} });
  const creating = async () => {
    await using cleanup = new Cleanup(() => expect.unreachable('everything must be removed'));
    await createClient(DEPLOYMENT, cleanup);
  };
  await expect(creating()).rejects.toMatchObject({
    exitCode: 4,
    message: expect.stringMatching(
      / The checks need AWS credentials that allow PutItem, DeleteItem and Query on the tables Configs and PromoEvents\.$/,
    ),
  });
  // These are the calls that were made.
  expect(new Set(aws.calls)).toEqual(new Set(['PutItem', 'DeleteItem', 'Query']));
  const [{ Item } = {}] = aws.inputsOf('PutItem');
  const Key = { clientId: Object(Item).clientId };
  expect(aws.inputsOf('DeleteItem')).toEqual([{ TableName: DEPLOYMENT.ConfigsTableName, Key }]);
});

test('the promo events of the client are removed from all pages, after the client', async () => {
  aws.answer({
    PutItem: {},
    DeleteItem: {},
    // The first read only shows whether it is permitted.
    Query: ({ ExclusiveStartKey }) => {
      const item = (eventId: string) => ({ clientId: { S: 'x' }, eventId: { S: eventId } });
      return ExclusiveStartKey
        ? { Items: [item('second')] }
        : { Items: [item('first')], LastEvaluatedKey: item('first') };
    },
  });
  {
    await using cleanup = new Cleanup(() => expect.unreachable('everything must be removed'));
    await createClient(DEPLOYMENT, cleanup);
  }
  const removed = aws.inputsOf('DeleteItem').map(({ TableName, Key }) => [TableName, Object(Key)]);
  expect(removed.map(([table, { eventId }]) => [table, eventId?.S])).toEqual([
    ['Configs', undefined],
    ['PromoEvents', 'first'],
    ['PromoEvents', 'second'],
  ]);
});
