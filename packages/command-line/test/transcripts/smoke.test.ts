import { type Answers, NO_RESPONSE } from 'customer-data-api/testing/aws';
import { readDocument } from 'customer-data-api/testing/documents/document';
import { PROMO_REQUEST } from 'customer-data-api/testing/service';
import { signIdToken } from 'customer-data-api-deployment/local';
import { readEventPattern } from 'customer-data-api-local';
import { expect, onTestFinished, vi } from 'vitest';
import { type Desk, STACK, scenario } from '../support/transcripts/desk.ts';

/** Checks that the tables have no more clients than before, and none with promo events. */
async function expectNothingLeft({ state }: Desk): Promise<void> {
  const { clients, promoEvents } = await state();
  const left = [...clients, ...promoEvents].map((item) => Object(item).clientId);
  expect(left.sort()).toEqual(['acme', 'demo']);
}

scenario(
  'smoke/healthy',
  'A healthy deployment passes, and nothing is left in it.',
  async (desk) => {
    const { run, unseen, aws, service, state } = desk;
    const { lines } = service.watchLog();
    await run('smoke --local');
    await expectNothingLeft(desk);
    // What the document says about the credentials.
    const { text } = await readDocument('docs/deploy.md');
    const [, listed = ''] = /`dynamodb:(\w+`, [^.]*) on Erasures/.exec(text) ?? [];
    const called = new Set(aws.calls.map(({ operation }) => operation));
    expect([...called].sort()).toEqual(listed.match(/\w+(?=`)/g)?.sort());
    // Nothing that an alarm reports.
    const clientId = Object(aws.inputsOf('UpdateItem')[0]?.Key).clientId.S;
    const ofSmoke = lines().filter((line) => line.includes(clientId));
    expect(ofSmoke.join()).not.toMatch(/harm|guarantee/);
    // The patterns of the documents leave out its events, and no others.
    const { blocks } = await readDocument('docs/events.md');
    const [matches = () => false, isNews = () => false] = blocks
      .filter((block) => block.text.includes('anything-but'))
      .map(({ text }) => readEventPattern(text));
    const events = async () =>
      (await state()).events
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line));
    await vi.waitFor(async () =>
      expect(await events()).toContainEqual(expect.objectContaining({ 'detail-type': 'applied' })),
    );
    const newsOf = async () =>
      (await events())
        .filter((event) => event['detail-type'] === 'configuration-changed')
        .map((event) => [event.detail.clientId, isNews(event)]);
    // What the client and the scenario's last one began and ended with: nothing is on its way.
    await vi.waitFor(async () => expect(await newsOf()).toHaveLength(4));
    expect(await newsOf()).toContainEqual([clientId, false]);
    // The history shows that no edit by hand was found, and reading it changes nothing.
    const { stdout } = await unseen(`config history ${clientId} --local --json | cat`);
    expect(stdout).not.toContain('manualEdit');
    await service.applyPromoCode({ body: PROMO_REQUEST });
    await vi.waitFor(async () => {
      const clients = (await events()).filter(matches).map(({ detail }) => detail.clientId);
      expect(clients).toEqual([PROMO_REQUEST.clientId]);
    });
    await service.putConfig({ clientId: 'told', appIds: ['key'], fields: [] });
    await vi.waitFor(async () => expect(await newsOf()).toContainEqual(['told', true]));
  },
  { records: true, environment: { REQUIRE_USER_POOL_CLIENT_IDS: 'true' } },
);

scenario(
  'smoke/without-writes',
  'Somebody without permissions sees that the service answers.',
  async ({ run, ends, aws }) => {
    await run('smoke --local --without-writes | cat');
    await ends('smoke --local --without-writes --dry-run');
    await run('smoke --local --without-writes --api-url http://127.0.0.1:9');
    expect(aws.calls).toEqual([]);
  },
);

/** Answers a query with each item twice. */
const twice: Answers[string] = async (_, passOn) => {
  const answer = Object(await passOn());
  return { ...answer, Items: [answer.Items, answer.Items].flat() };
};

scenario('smoke/mistakes', 'A service that makes a mistake fails.', async (desk) => {
  const { unseen, answer, note, outputs } = desk;
  onTestFinished(() => void vi.unstubAllGlobals());
  const { fetch } = globalThis;
  // biome-ignore lint/suspicious/noExplicitAny: a body to be made wrong
  const mistakes: readonly [what: string, change: (body: any) => unknown, stored?: Answers][] = [
    ['answers a page', () => '<html>'],
    ['sends another code', ({ data }) => Object.assign(data, { code: 'Other' })],
    ['reorders fields', ({ data }) => data.fields?.reverse()],
    ['only queues', ({ data, notices }) => data.outcome && notices.push('Later.')],
    ['stores each event twice', () => {}, { Query: twice }],
  ];
  for (const [what, change, stored] of mistakes) {
    answer(stored);
    vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
      const response = await fetch(url, init);
      if (!url.startsWith(outputs.ApiUrl)) return response;
      const body = await response.json();
      const changed = change(body);
      return new Response(typeof changed === 'string' ? changed : JSON.stringify(body), response);
    });
    const { code, stdout } = await unseen('smoke --local --json | cat');
    expect(code).toBe(1);
    const results = stdout.trimEnd().split('\n');
    const failed = results.map((line) => JSON.parse(line)).filter(({ reason }) => reason);
    note(`It ${what}:`);
    for (const { check } of failed) note(`  ${check}`);
  }
  answer();
  let good: RequestInit | undefined;
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    if (!url.startsWith(outputs.ApiUrl)) return fetch(url, init);
    good ??= init;
    return fetch(`${outputs.ApiUrl}/customData/getConfig`, good);
  });
  note('It accepts everything:');
  const { stdout } = await unseen('smoke --local | cat');
  for (const [, check] of stdout.matchAll(/^failed.*ms {2}(.*?: \d\d\d \w+)/gm)) note(`  ${check}`);
  await expectNothingLeft(desk);
});

scenario(
  'smoke/table-missing',
  'A function that cannot write to its table fails, and what waits in the queue is erased.',
  async (desk) => {
    await desk.run('smoke --local');
    const { ErasuresTableName: TableName } = desk.outputs;
    expect(desk.aws.inputsOf('PutItem')).toContainEqual(expect.objectContaining({ TableName }));
    await expectNothingLeft(desk);
  },
  { environment: { PROMO_EVENTS_TABLE_NAME: 'a-table-that-is-not-there' } },
);

for (const UserIdClaim of ['custom:userId', 'none']) {
  scenario(
    `smoke/${UserIdClaim === 'none' ? 'no' : 'other'}-claim`,
    `Users are bound to their tokens by the claim ${UserIdClaim}.`,
    async (desk) => {
      await desk.ends('smoke --local');
      await expectNothingLeft(desk);
    },
    { environment: { USER_ID_CLAIM: UserIdClaim }, outputs: { UserIdClaim } },
  );
}

scenario(
  'smoke/not-removed',
  'What cannot be removed is named, and fails the run.',
  async (desk) => {
    const { run, ends, answer, note } = desk;
    for (const call of ['UpdateItem', 'Query']) {
      note(`${call} is not permitted.`);
      answer({ [call]: undefined });
      await (call === 'Query' ? run : ends)('smoke --local');
      await expectNothingLeft(desk);
    }
    note('The response to UpdateItem is lost, although it was executed.');
    answer({
      UpdateItem: async (_, passOn) => {
        await passOn();
        return NO_RESPONSE;
      },
    });
    await ends('smoke --local');
    await expectNothingLeft(desk);
    note('DeleteItem is not permitted.');
    answer({ DeleteItem: undefined });
    await run('smoke --local --json | cat');
  },
);

scenario(
  'smoke/interrupted',
  'A signal ends the checks, as a reader that leaves does, and everything is removed.',
  async (desk) => {
    const { run, answer } = desk;
    let queries = 0;
    answer({
      // The second one is that of a check.
      Query: (_, passOn) => {
        queries += 1;
        if (queries === 2) for (const _ of ['once', 'twice']) process.emit('SIGTERM', 'SIGTERM');
        return passOn();
      },
    });
    expect((await run('smoke --local | cat')).code).toBe(143);
    await expectNothingLeft(desk);
    answer();
    await run('smoke --local | head -1');
    await expectNothingLeft(desk);
  },
);

/** A user pool whose tokens the service accepts. */
function cognito({ service }: Desk, changed: Answers = {}): Answers {
  return {
    AdminCreateUser: {},
    AdminSetUserPassword: {},
    AdminInitiateAuth: async ({ AuthParameters }) => ({
      AuthenticationResult: {
        IdToken: await signIdToken(service.issuer, { user: Object(AuthParameters).USERNAME }),
      },
    }),
    AdminDeleteUser: {},
    ...changed,
  };
}

scenario(
  'smoke/in-production',
  'In production, a user of Cognito is created only after a yes.',
  async (desk) => {
    const { run, ends, answer, aws, outputs } = desk;
    const words = `smoke --stack ${STACK}`;
    answer(cognito(desk));
    await run(`${words} --dry-run`);
    await ends(`${words} < /dev/null`);
    await run(words, 'n');
    expect(aws.calls.map(({ operation }) => operation)).toEqual(['DescribeStacks']);
    await ends(`${words} --yes`);
    await expectNothingLeft(desk);
    const [created] = aws.inputsOf('AdminCreateUser');
    const { UserPoolId, UserPoolClientId } = outputs;
    expect(created).toMatchObject({ UserPoolId, MessageAction: 'SUPPRESS' });
    // Password policies can require a character of each kind.
    const Password = expect.stringMatching(/^[-\w]{32}aA1!$/);
    expect(aws.inputsOf('AdminSetUserPassword')).toMatchObject([{ Password, Permanent: true }]);
    expect(aws.inputsOf('AdminInitiateAuth')).toMatchObject([{ ClientId: UserPoolClientId }]);
    expect(aws.inputsOf('AdminDeleteUser')).toEqual([{ UserPoolId, Username: created?.Username }]);
  },
);

scenario(
  'smoke/user-pool',
  'What the user pool refuses ends the run, and the user is removed.',
  async (desk) => {
    const { run, answer, aws, note } = desk;
    const isAddress = ({ Username }: Readonly<Record<string, unknown>>) =>
      String(Username).includes('@');
    const answers: readonly [string, Answers][] = [
      ['AWS refuses AdminCreateUser', { AdminCreateUser: undefined }],
      ['a second factor is required', { AdminInitiateAuth: { ChallengeName: 'SMS_MFA' } }],
      ['the user is not removed', { AdminSetUserPassword: undefined, AdminDeleteUser: undefined }],
      [
        'users sign in with e-mail addresses, and tokens are bound by a claim that they lack',
        {
          AdminCreateUser: (input) =>
            isAddress(input) ? {} : { __type: 'InvalidParameterException' },
          AdminDeleteUser: (input) => (isAddress(input) ? {} : { __type: 'UserNotFoundException' }),
        },
      ],
    ];
    for (const [what, changed] of answers) {
      note(`Cognito: ${what}.`);
      answer(cognito(desk, changed));
      await run(`smoke --stack ${STACK} --yes`);
      // A lost response may have created it.
      const names = (call: string) => aws.inputsOf(call).map(({ Username }) => Username);
      expect(names('AdminDeleteUser').sort()).toEqual(names('AdminCreateUser').sort());
      await expectNothingLeft(desk);
    }
    const [created] = aws.inputsOf('AdminCreateUser');
    expect(created?.UserAttributes).toEqual([{ Name: 'custom:userId', Value: created?.Username }]);
  },
  { outputs: { UserIdClaim: 'custom:userId' } },
);
