import { hash } from 'node:crypto';
import { fingerprintOf } from 'customer-data-api/clients';
import { functionName, OPERATIONS } from 'customer-data-api/operations';
import { functionLogGroup } from 'customer-data-api/stack';
import type { Answer, Answers } from 'customer-data-api/testing/aws';
import { expect, vi } from 'vitest';
import { client, FIRST_KEY } from '../support/transcripts/clients.ts';
import { STACK, scenario } from '../support/transcripts/desk.ts';

const digestOf = (appId: string) => hash('sha256', appId);

/** The result of CloudWatch Logs. */
const found = (...rows: Readonly<Record<string, string>>[]): Answers => ({
  GetQueryResults: {
    status: 'Complete',
    results: rows.map((row) => Object.entries(row).map(([field, value]) => ({ field, value }))),
  },
});

scenario('keys/rotation', 'A key is replaced without downtime.', async (desk) => {
  const { run, ends, put, serves, item } = desk;
  await put(
    client('pizza', { userPoolClientIds: new Set([desk.service.outputs.UserPoolClientId]) }),
  );
  await run('keys add pizza --local --dry-run');
  const second = (await run('keys add pizza --label "iOS 4" --local')).stdout.trim();
  for (const key of [FIRST_KEY, second]) await serves('pizza', key);
  await run('keys list pizza --local');
  const revoke = `keys revoke pizza ${fingerprintOf(FIRST_KEY)} --local`;
  await ends(`${revoke} < /dev/null`, `${revoke} --dry-run`, [revoke, 'n']);
  await run(revoke, 'y');
  await serves('pizza', FIRST_KEY, 401);
  await serves('pizza', second);
  expect(await item('pizza')).toMatchObject({
    appIds: new Set([second]),
    appIdLabels: { [fingerprintOf(second)]: { label: 'iOS 4', by: 'jane' } },
  });
});

scenario(
  'keys/revoked',
  'Apps that still send a revoked App-Id are named, and guesses are not.',
  async ({ run, put, answer }) => {
    const keys = [FIRST_KEY, 'second-key', 'third-key'];
    await put(client('pizza', { appIds: new Set(keys) }));
    await put(client('pizza', { appIds: new Set(keys.slice(0, 2)) }));
    const refused = (appId: string, requests: string) => ({
      clientId: 'pizza',
      appId: fingerprintOf(appId),
      requests,
    });
    answer(found(refused('a guess', '90'), refused('third-key', '7'), refused(FIRST_KEY, '1')));
    await run(`keys list pizza --stack ${STACK}`);
    await run(`keys list pizza --stack ${STACK} --json | cat`);
    await run(`keys revoke pizza ${fingerprintOf('second-key')} --stack ${STACK} --dry-run`);
    await run(`doctor --stack ${STACK} --json | cat`);
  },
  { records: true },
);

scenario(
  'keys/labels',
  'The list shows what is known of each App-Id, and how often it was used.',
  async ({ run, ends, put, item, answer, write }) => {
    const appIds = new Set(['ios', 'android', 'web', 'unlabelled']);
    const [ios, android, web] = ['ios', 'android', 'web'].map(fingerprintOf);
    const by = 'arn:aws:sts::123456789012:assumed-role/Developers/jane.doe@example.com';
    await put(
      client('pizza', {
        appIds,
        appIdLabels: {
          [`${ios}`]: { label: 'iOS, since the relaunch', at: '2026-07-20T10:00:00.000Z', by },
          [`${android}`]: 'Android\u001b[31m',
          [`${web}`]: ['by hand'],
        },
      }),
    );
    answer(
      found(
        { hour: '2026-11-21 09:00:00.000', uses: '0' },
        { hour: '2026-11-21 08:00:00.000', uses: '12' },
        { hour: '2026-11-21 07:00:00.000', uses: '1200' },
      ),
    );
    await run(`keys list pizza --stack ${STACK}`);
    await run(`keys list pizza --stack ${STACK} --json | cat`);
    answer({ StartQuery: undefined });
    await ends(`keys list pizza --stack ${STACK}`);
    const used = { timestamp: new Date().toISOString(), uses: { pizza: { [`${web}`]: 3 } } };
    await write('.local/kept-lines.jsonl', `${JSON.stringify(used)}\n`);
    await ends('keys list pizza --local');
    await run('keys revoke pizza "iOS, since the relaunch" --local --yes --json 2>&1 | cat');
    expect(Object.keys(Object((await item('pizza'))?.appIdLabels)).sort()).toEqual(
      [`${android}`, `${web}`].sort(),
    );
    // A map that is none is replaced.
    await put(client('pizza', { appIdLabels: 'iOS' }));
    await run(`keys add pizza --label ${'x'.repeat(65)} --local`);
    await ends('keys list pizza --local', 'keys add pizza --label Kiosk --local');
    await run('keys add pizza --label Kiosk --local');
    const twice = { [`${ios}`]: 'Phone', [`${web}`]: 'Phone' };
    await put(client('pizza', { appIds, appIdLabels: twice }));
    await run('keys revoke pizza Phone --local --yes');
    expect((await item('pizza'))?.appIds).toEqual(appIds);
  },
);

scenario('keys/last', 'The last key is revoked once there is another one.', async (desk) => {
  const { run, ends, put, serves, item } = desk;
  await run('keys revoke acme acme-app-key --local --yes --force');
  await serves('acme', 'acme-app-key');
  const { stdout } = await run('keys add acme --local --json | cat');
  await ends('keys revoke acme acme-app-key --local --yes');
  const { appId } = JSON.parse(stdout);
  expect((await item('acme'))?.appIds).toEqual(new Set([appId]));
  await serves('acme', appId);
  await put(client('pizza', { appIds: undefined }));
  await run('keys list pizza --local');
  await run('keys list nobody --local');
  await ends('keys add nobody --local', 'keys revoke nobody x --yes --local');
  expect(await item('nobody')).toBeUndefined();
});

scenario('keys/names', 'A key is revoked if it is named beyond doubt.', async (desk) => {
  const { run, ends, put, item, note } = desk;
  // The digests of the last two start with the same eight digits.
  const appIds = ['one-app-id', 'app-id-7883', 'app-id-57018'];
  const digest = digestOf('one-app-id');
  await put(client('pizza', { appIds: new Set(appIds) }));
  const revokes = (...names: readonly string[]) =>
    ends(...names.map((name) => `keys revoke pizza ${name} --local --yes`));
  await revokes(digest.slice(0, 7), `${digest.slice(0, 8)}x`, digest.slice(-8));
  await revokes(digest.slice(0, 12).toUpperCase(), 'app-id-7884');
  for (const name of ['00000000', fingerprintOf('app-id-7883')]) {
    await run(`keys revoke pizza ${name} --local --yes`);
  }
  await revokes(digest, digestOf('app-id-7883').slice(0, 12));
  expect((await item('pizza'))?.appIds).toEqual(new Set(['app-id-57018']));
  note('An App-Id that looks like the digest of another one:');
  await put(client('pizza', { appIds: new Set(['app-id-57018', digestOf('app-id-57018')]) }));
  await revokes(digestOf('app-id-57018'));
  expect((await item('pizza'))?.appIds).toEqual(new Set(['app-id-57018']));
});

scenario(
  'keys/lost',
  'An App-Id that the client has lost is given back, and never printed.',
  async (desk) => {
    const { run, ends, unseen, put, write, serves, item, service } = desk;
    const userPoolClientIds = new Set([service.outputs.UserPoolClientId]);
    await put(client('pizza', { appIds: undefined, userPoolClientIds }));
    await write('app-id.txt', 'lost-app-id\n');
    await write('piped.txt', 'another-lost-app-id');
    const add = 'keys add pizza --from app-id.txt --local';
    await ends(`${add} --dry-run`);
    await run(add);
    await run(add);
    await ends('keys add pizza --from - --local --json | cat < piped.txt');
    for (const key of ['lost-app-id', 'another-lost-app-id']) await serves('pizza', key);
    // What commands print can be read again.
    const { stdout } = await unseen('clients create pasta --local --json | cat');
    const { appId } = JSON.parse(stdout);
    await ends('keys add pasta --local', `keys revoke pasta ${fingerprintOf(appId)} --yes --local`);
    // With the mark that PowerShell writes.
    await write('created.json', `\ufeff${stdout}`);
    await ends('keys add pasta --from created.json --local');
    await serves('pasta', appId);
    await write('digest.txt', fingerprintOf(appId));
    await run('keys add pasta --from digest.txt --local');
    await write('two.txt', 'a-secret\nanother-secret\n');
    for (const content of ['“a-secret”', '\u0430-secret', 'a-secret, a-secret', 'null']) {
      await write('one.txt', content);
      const { code, stderr } = await unseen('keys add pizza --from one.txt --local');
      expect({ content, code }).toEqual({ content, code: 2 });
      expect(stderr).not.toContain('secret');
    }
    const { stderr } = await run('keys add pizza --from two.txt --local');
    expect(stderr).not.toContain('secret');
    for (const file of ['/no/such', '.']) await run(`keys add pizza --from ${file} --local`);
    await ends('keys add pizza --from - --local < two.txt');
    expect((await item('pizza'))?.appIds).toEqual(new Set(['lost-app-id', 'another-lost-app-id']));
  },
);

scenario(
  'keys/damaged',
  'What somebody wrote into the App-Ids by hand is listed, kept beside a new one, and revoked by its digest.',
  async (desk) => {
    const { run, ends, doctor, unseen, put, serves, item, service } = desk;
    const userPoolClientIds = new Set([service.outputs.UserPoolClientId]);
    await put(client('pizza', { userPoolClientIds, appIds: 'key-a, key-b', AppIDs: ['key-c'] }));
    await doctor();
    await run('keys list pizza --local');
    await ends('keys list pizza --local --json | cat', 'keys add pizza --local --dry-run');
    const added = (await unseen('keys add pizza --local')).stdout.trim();
    await serves('pizza', added);
    await serves('pizza', 'key-a', 401);
    const whole = fingerprintOf('key-a, key-b');
    await run(`keys revoke pizza ${whole} --local`, 'y');
    const { appIds, AppIDs } = (await item('pizza')) ?? {};
    expect({ appIds, AppIDs }).toEqual({ appIds: new Set([added]), AppIDs: ['key-c'] });
    await run(`keys revoke pizza ${fingerprintOf(added)} --local --yes`);
    for (const stored of [
      { 'key-a': true },
      new Set([1, 2]),
      '',
      ['key-a ', '', 7, { S: 'key-b' }, 'sch\u043b\u00fcssel'],
    ]) {
      await put(client('odd', { userPoolClientIds, appIds: stored }));
      const count = Array.isArray(stored) ? stored.length : stored instanceof Set ? stored.size : 1;
      const list = async () =>
        (await unseen('keys list odd --local --json')).stdout.split('\n').filter(Boolean);
      expect(await list()).toHaveLength(count);
      const { stdout } = await unseen('keys add odd --local');
      await serves('odd', stdout.trim());
      // It is the last one that apps can send.
      const revoke = `keys revoke odd ${fingerprintOf(stdout.trim())} --local --yes`;
      expect((await unseen(revoke)).code).toBe(2);
      const lines = (await list()).map((line) => JSON.parse(line));
      expect(lines).toHaveLength(count + 1);
      for (const { fingerprint, isAppId } of lines) {
        if (isAppId === false) {
          const { code } = await unseen(`keys revoke odd ${fingerprint} --local --yes`);
          expect({ stored, code }).toEqual({ stored, code: 0 });
        }
      }
      expect((await item('odd'))?.appIds).toEqual(new Set([stdout.trim()]));
    }
  },
);

scenario(
  'keys/uses',
  'Before it asks, keys revoke says how often the key was used.',
  async (desk) => {
    const { run, unseen, put, answer, aws, note } = desk;
    const { GetQueryResults } = found({ uses: '12' });
    const usedOnce = Object(found({ uses: '1' }).GetQueryResults);
    const answers: [string, Answers][] = [
      ['used often', found({ uses: '1234' })],
      ['used once', found({ uses: '1' })],
      ['not used', found({ uses: '0' })],
      ['not used, in an empty log', {}],
      ['not permitted', { StartQuery: undefined }],
      [
        'found at last',
        { GetQueryResults: [{ ...usedOnce, status: 'Running' }, GetQueryResults as Answer] },
      ],
      ['the query failed', { GetQueryResults: { status: 'Failed' } }],
    ];
    vi.stubEnv('AWS_REGION', 'eu-north-1');
    const appIds = new Set([FIRST_KEY, 'another-key']);
    await put(client('pizza', { appIds }));
    for (const [what, given] of answers) {
      note(`CloudWatch Logs: ${what}.`);
      answer(given);
      const { stdout } = await unseen(`keys revoke pizza ${FIRST_KEY} --stack ${STACK} --dry-run`);
      const [uses = ''] = stdout.split('\n');
      note(`  ${uses}`);
    }
    const [query = {}] = aws.inputsOf('StartQuery');
    expect(query.logGroupNames).toEqual(
      OPERATIONS.map((one) => functionLogGroup(STACK, functionName(one))),
    );
    expect(Number(query.endTime) - Number(query.startTime)).toBe(24 * 60 * 60);
    expect(Number(query.endTime)).toBeGreaterThan(Date.now() / 1000 - 60);
    // The pattern finds the count of this client and key, and of no other.
    const clientId = 'a.b`/c|d"e\\f{g} 試';
    await put(client(clientId, { appIds }));
    answer({});
    await unseen(`keys revoke '${clientId}' ${FIRST_KEY} --stack ${STACK} --dry-run`);
    const [{ queryString } = {}] = aws.inputsOf('StartQuery');
    const [, pattern = ''] = /parse @message \/(.*)\/ \|/.exec(String(queryString)) ?? [];
    expect(pattern).not.toMatch(/(?<!\\)\//);
    const key = fingerprintOf(FIRST_KEY);
    const count = (uses: object) =>
      new RegExp(pattern, 'u').exec(JSON.stringify({ uses }))?.groups?.count;
    const others = { [`x${clientId}`]: { [key]: 5 }, [clientId.replace('.', 'x')]: { [key]: 6 } };
    expect(count({ ...others, [clientId]: { '00000000': 1, [key]: 12 } })).toBe('12');
    expect(count({ ...others, [clientId]: { '00000000': 1 } })).toBeUndefined();
    // The logs are in the region of the deployment.
    const queried = aws.calls.filter(({ service }) => service === 'logs');
    expect(new Set(queried.map(({ signer }) => signer))).toEqual(new Set(['test us-east-1']));
    note('CloudWatch Logs does not respond.');
    answer({ GetQueryResults: { status: 'Running' } });
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
    await run(`keys revoke pizza ${FIRST_KEY} --stack ${STACK} --dry-run`);
    expect(timeout).toHaveBeenCalledWith(30_000);
    timeout.mockRestore();
  },
);
