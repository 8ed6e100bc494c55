import { type Answers, NO_RESPONSE } from 'customer-data-api/testing/aws';
import { readDocument } from 'customer-data-api/testing/documents/document';
import { signIdToken } from 'customer-data-api-deployment/local';
import { expect, onTestFinished, vi } from 'vitest';
import { type Desk, STACK, scenario } from '../support/transcripts/desk.ts';

/** Checks that the tables have no more clients than before, and none with promo events. */
async function expectNothingLeft({ state }: Desk): Promise<void> {
  const { clients, promoEvents } = await state();
  const left = [...clients, ...promoEvents].map((item) => Object(item).clientId);
  expect(left.sort()).toEqual(['acme', 'demo']);
}

/** The results of the checks of a run that printed JSON. */
const resultsIn = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line): { result: string; check: string } => JSON.parse(line));

scenario(
  'smoke/healthy',
  'A healthy deployment passes, and nothing is left in it.',
  async (desk) => {
    const { run, answer, aws, outputs, recorded } = desk;
    await run('smoke --local --dry-run');
    // Nothing may be left on the later pages.
    answer({ Query: (input, passOn) => passOn({ ...input, Limit: 1 }) });
    await run('smoke --local');
    await expectNothingLeft(desk);
    // Otherwise an event that was just stored could be missed.
    for (const { ConsistentRead } of aws.inputsOf('Query')) expect(ConsistentRead).toBe(true);
    // An app that still calls would store another event.
    const removedFrom = aws.inputsOf('DeleteItem').map(({ TableName }) => TableName);
    const { ConfigsTableName, PromoEventsTableName } = outputs;
    expect([...new Set(removedFrom)]).toEqual([ConfigsTableName, PromoEventsTableName]);
    expect(removedFrom.lastIndexOf(ConfigsTableName)).toBe(0);
    const [{ Item } = {}] = aws.inputsOf('PutItem');
    // What the document says about the credentials.
    const { text } = await readDocument('docs/deploy.md');
    const [, listed = ''] =
      /`dynamodb:(\w+`, [^.]*) on the tables Configs and PromoEvents/.exec(text) ?? [];
    const called = new Set(aws.calls.map(({ operation }) => operation));
    expect([...called].sort()).toEqual(listed.match(/\w+(?=`)/g)?.sort());
    // Otherwise the history would take it for an edit by hand.
    const clientId = Object(Item).clientId.S;
    await recorded(clientId, 2);
    await run(`config history ${clientId} --local | cat`);
  },
  { records: true, environment: { REQUIRE_USER_POOL_CLIENT_IDS: 'true' } },
);

scenario(
  'smoke/without-writes',
  'Somebody without permissions sees that the service answers.',
  async ({ run, aws }) => {
    await run('smoke --local --without-writes | cat');
    await run('smoke --local --without-writes --dry-run');
    expect(aws.calls).toEqual([]);
  },
);

scenario(
  'smoke/table-missing',
  'A function that cannot write to its table fails, and what waits in the queue is named.',
  async (desk) => {
    await desk.run('smoke --local | cat');
    await expectNothingLeft(desk);
  },
  { environment: { PROMO_EVENTS_TABLE_NAME: 'a-table-that-is-not-there' } },
);

scenario(
  'smoke/other-claim',
  'Another claim binds users to their tokens, or none.',
  async (desk) => {
    const { unseen, writeOutputs, outputs, note } = desk;
    for (const [UserIdClaim, passes] of [
      ['custom:userId', true],
      ['none', false],
    ] as const) {
      await writeOutputs({ ...outputs, UserIdClaim });
      const { code, stdout } = await unseen('smoke --local --json | cat');
      const results = resultsIn(stdout).map(({ result }) => result);
      expect({ code, skips: results.includes('skipped') }).toEqual({
        code: passes ? 0 : 1,
        skips: !passes,
      });
      note(`With ${UserIdClaim}, the exit code is ${code}.`);
      await expectNothingLeft(desk);
    }
  },
  { environment: { USER_ID_CLAIM: 'custom:userId' } },
);

scenario(
  'smoke/not-removed',
  'What cannot be removed is named, and fails the run.',
  async (desk) => {
    const { run, answer, note } = desk;
    for (const call of ['PutItem', 'Query']) {
      note(`${call} is not permitted.`);
      answer({ [call]: undefined });
      await run('smoke --local');
      await expectNothingLeft(desk);
    }
    note('The response to PutItem is lost, although it was executed.');
    answer({
      PutItem: async (_, passOn) => {
        await passOn();
        return NO_RESPONSE;
      },
    });
    await run('smoke --local');
    await expectNothingLeft(desk);
    note('DeleteItem is not permitted.');
    answer({ DeleteItem: undefined });
    await run('smoke --local --json | cat');
  },
);

scenario(
  'smoke/unreachable',
  'An API that cannot be reached fails every check, and nothing is left.',
  async (desk) => {
    const { run, unseen, writeOutputs, outputs } = desk;
    await writeOutputs({ ...outputs, ApiUrl: 'http://127.0.0.1:9' });
    const { fetch } = globalThis;
    onTestFinished(() => void vi.unstubAllGlobals());
    for (const thrown of [undefined, new Error(''), '', new TypeError('', { cause: 7 })]) {
      vi.stubGlobal('fetch', (url: string, init: RequestInit) =>
        thrown !== undefined && url.startsWith('http://127.0.0.1:9/')
          ? Promise.reject(thrown)
          : fetch(url, init),
      );
      const unreachable = await unseen('smoke --local --json | cat');
      expect(unreachable.code).toBe(1);
      expect(new Set(resultsIn(unreachable.stdout).map(({ result }) => result))).toEqual(
        new Set(['failed']),
      );
      await expectNothingLeft(desk);
    }
    await run('smoke --local');
  },
);

scenario(
  'smoke/interrupted',
  'A signal ends the checks, as a reader that leaves does, and everything is removed.',
  async (desk) => {
    const { run, answer, note } = desk;
    for (const [signal, code] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
      ['SIGHUP', 129],
    ] as const) {
      note(`${signal} arrives twice.`);
      let queries = 0;
      answer({
        // The second one is that of a check.
        Query: (_, passOn) => {
          queries += 1;
          if (queries === 2) for (const _ of ['once', 'twice']) process.emit(signal, signal);
          return passOn();
        },
      });
      expect((await run('smoke --local | cat')).code).toBe(code);
      await expectNothingLeft(desk);
    }
    answer();
    await run('smoke --local | head -1');
    await expectNothingLeft(desk);
  },
);

/** A user pool whose tokens the service accepts. */
function cognito({ service }: Desk, changed: Answers = {}): Answers {
  const tokens = async (user: string) => ({
    IdToken: await signIdToken(service.issuer, { user }),
    AccessToken: await signIdToken(service.issuer, { user, claims: { token_use: 'access' } }),
  });
  return {
    AdminCreateUser: {},
    AdminSetUserPassword: {},
    AdminDeleteUser: {},
    AdminInitiateAuth: async ({ AuthParameters }) => ({
      AuthenticationResult: await tokens(Object(AuthParameters).USERNAME),
    }),
    ...changed,
  };
}

scenario(
  'smoke/in-production',
  'In production, a user of Cognito is created only after a yes.',
  async (desk) => {
    const { run, unseen, answer, aws, outputs } = desk;
    const words = `smoke --stack ${STACK}`;
    answer(cognito(desk));
    await run(`${words} --dry-run --json | cat`);
    await run(`${words} < /dev/null`);
    await run(words, 'n');
    expect(aws.calls.map(({ operation }) => operation)).toEqual(['DescribeStacks']);
    expect(await unseen(`${words} --yes`)).toMatchObject({ code: 0 });
    await expectNothingLeft(desk);
    const [created] = aws.inputsOf('AdminCreateUser');
    const { UserPoolId, UserPoolClientId } = outputs;
    const user = { UserPoolId, Username: expect.stringMatching(/^smoke-/) };
    expect(created).toEqual({ ...user, MessageAction: 'SUPPRESS' });
    // Password policies can require a character of each kind.
    const Password = expect.stringMatching(/^[-\w]{32}aA1!$/);
    expect(aws.inputsOf('AdminSetUserPassword')).toEqual([{ ...user, Password, Permanent: true }]);
    expect(aws.inputsOf('AdminInitiateAuth')).toMatchObject([{ ClientId: UserPoolClientId }]);
    expect(aws.inputsOf('AdminDeleteUser')).toEqual([{ UserPoolId, Username: created?.Username }]);
  },
);

scenario(
  'smoke/user-pool',
  'What the user pool refuses ends the run, and the user is removed.',
  async (desk) => {
    const { run, answer, aws, note, service } = desk;
    const IdToken = await signIdToken(service.issuer);
    const answers: readonly [string, Answers][] = [
      ['AWS refuses AdminCreateUser', { AdminCreateUser: undefined }],
      [
        'there is such a user',
        { AdminCreateUser: { __type: 'UsernameExistsException', message: 'No.' } },
      ],
      ['a second factor is required', { AdminInitiateAuth: { ChallengeName: 'SMS_MFA' } }],
      ['the access token is missing', { AdminInitiateAuth: { AuthenticationResult: { IdToken } } }],
      ['the user is not removed', { AdminSetUserPassword: undefined, AdminDeleteUser: undefined }],
    ];
    for (const [what, changed] of answers) {
      note(`Cognito: ${what}.`);
      answer(cognito(desk, changed));
      await run(`smoke --stack ${STACK} --yes`);
      // A lost response may have created it.
      const names = (call: string) => aws.inputsOf(call).map(({ Username }) => Username);
      expect(names('AdminDeleteUser')).toEqual(names('AdminCreateUser'));
    }
    const isAddress = ({ Username }: Readonly<Record<string, unknown>>) =>
      String(Username).includes('@');
    note(
      'Cognito: users sign in with e-mail addresses, and tokens are bound by a claim that they lack.',
    );
    answer({
      ...cognito(desk, {
        AdminCreateUser: (input) =>
          isAddress(input) ? {} : { __type: 'InvalidParameterException' },
        AdminDeleteUser: (input) => (isAddress(input) ? {} : { __type: 'UserNotFoundException' }),
      }),
    });
    await run(`smoke --stack ${STACK} --yes`);
    expect(aws.inputsOf('AdminDeleteUser').map(isAddress)).toEqual([true, false]);
    const [created] = aws.inputsOf('AdminCreateUser');
    expect(created?.UserAttributes).toEqual([{ Name: 'custom:userId', Value: created?.Username }]);
    await expectNothingLeft(desk);
  },
  { outputs: { UserIdClaim: 'custom:userId' } },
);
