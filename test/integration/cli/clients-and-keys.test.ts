import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeleteItemCommand, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Outputs } from '../../../cli/outputs.ts';
import { keyDigest } from '../../../core/clients/key-digest.ts';
import { close } from '../../../local/listen.ts';
import { customerData, type Surroundings } from '../../support/command-line.ts';
import { FaultProxy } from '../../support/fault-proxy.ts';
import { OUTPUTS } from '../../support/outputs.ts';
import { startTables, type Tables } from '../../support/tables.ts';

/* `clients` and `keys` with the tables alone. Nothing calls the API here, and nothing records versions. */

let tables: Tables;
let folder: string;
beforeAll(async () => {
  tables = await startTables();
  folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
});
afterAll(async () => {
  await tables.stop();
  await rm(folder, { recursive: true });
});

/** Runs a command for a deployment whose app clients are `one` and `two`, or with other outputs. */
async function command(
  words: string,
  surroundings: Surroundings = {},
  changed: Partial<Outputs> = {},
) {
  const { configsTableName: ConfigsTableName, tableName: ConfigVersionsTableName } =
    tables.configurations;
  const outputs = {
    ...{ ...OUTPUTS, ConfigsTableName, ConfigVersionsTableName, UserPoolClientId: 'one,two' },
    // As of the local server, which needs no credentials to name the author.
    ...{ DynamoDbEndpoint: tables.endpoint, JwksUri: 'http://127.0.0.1:1', ...changed },
  };
  const file = join(folder, 'outputs.json');
  await writeFile(file, JSON.stringify({ 'CustomerDataApi-dev': outputs }));
  return customerData([...words.split(' '), '--outputs', file], surroundings);
}

const TableName = () => tables.configurations.configsTableName;

async function put(clientId: string, attributes: object): Promise<void> {
  const item = { clientId, fields: [], lastFieldId: 0, ...attributes };
  await tables.dynamodb.send(new PutItemCommand({ TableName: TableName(), Item: marshall(item) }));
}

async function stored(clientId: string) {
  const Key = marshall({ clientId });
  const { Item } = await tables.dynamodb.send(new GetItemCommand({ TableName: TableName(), Key }));
  return Item && unmarshall(Item);
}

describe('while a command asks, somebody else', () => {
  const [kept, revoked, added] = ['kept-key', 'revoked-key', 'added-key'];

  /** Runs a command on a client. Once it asks, something happens, and the answer is yes. */
  const meanwhile = (words: string, happens: () => Promise<unknown>) =>
    command(words, {
      isTerminal: true,
      typed: async () => {
        await happens();
        return words.startsWith('clients remove') ? `${words.split(' ')[2]}\n` : 'y\n';
      },
    });

  test('adds a key: it stays when another one is revoked', async () => {
    await put('asked', { appIds: new Set([kept, revoked]) });
    const { code } = await meanwhile(`keys revoke asked ${keyDigest(revoked)}`, () =>
      put('asked', { appIds: new Set([kept, revoked, added]) }),
    );
    expect(code).toBe(0);
    expect((await stored('asked'))?.appIds).toEqual(new Set([kept, added]));
  });

  test('revokes the other key: the last one is not revoked', async () => {
    await put('asked', { appIds: new Set([kept, revoked]) });
    const { code, stderr } = await meanwhile(`keys revoke asked ${keyDigest(revoked)}`, () =>
      put('asked', { appIds: new Set([revoked]) }),
    );
    expect(code).toBe(2);
    expect(stderr).toMatch(/This is the last key of the client asked: .* --force\.\n$/);
    expect((await stored('asked'))?.appIds).toEqual(new Set([revoked]));
  });

  test('adds a key: it stays when a misspelled attribute is corrected', async () => {
    await put('asked', { appIds: new Set([kept]), appIdz: [revoked] });
    const { code } = await meanwhile('keys add asked --correct', () =>
      put('asked', { appIds: new Set([kept, added]), appIdz: [revoked] }),
    );
    expect(code).toBe(0);
    const item = await stored('asked');
    expect(item?.appIds).toEqual(new Set([kept, added, revoked]));
    expect(item).not.toHaveProperty('appIdz');
  });

  test.each<[string, object, object, string]>([
    [
      'the misspelled attribute to correct',
      { appIdz: [kept] },
      { appIdz: [kept, added] },
      'keys add asked --correct',
    ],
    [
      'the string with commas to separate',
      { appIds: `${kept},${revoked}` },
      { appIds: `${kept},${added}` },
      'keys add asked --correct',
    ],
    [
      'the app clients',
      { appIds: [kept], userPoolClientIds: ['one'] },
      { appIds: [kept], userPoolClientIds: ['another'] },
      'clients set-app-clients asked two',
    ],
  ])('changes %s: that is a conflict, and nothing is changed', async (_, before, after, words) => {
    await put('asked', before);
    const { code, stdout, stderr } = await meanwhile(words, () => put('asked', after));
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toMatch(
      /\nSomebody changed .* of the client asked meanwhile\. Nothing was .*\n$/,
    );
    expect(await stored('asked')).toEqual({
      ...{ clientId: 'asked', fields: [], lastFieldId: 0, ...after },
    });
  });

  test('removes the client: no command makes it again', async () => {
    const commands = [
      `keys revoke asked ${keyDigest(revoked)}`,
      ...['keys add asked --correct', 'clients set-app-clients asked two', 'clients remove asked'],
    ];
    for (const words of commands) {
      await put('asked', { appIds: [kept, revoked], appIdz: [added] });
      const Key = marshall({ clientId: 'asked' });
      const { code, stdout } = await meanwhile(words, () =>
        tables.dynamodb.send(new DeleteItemCommand({ TableName: TableName(), Key })),
      );
      expect([words, code === 0, stdout]).toEqual([words, false, '']);
      expect(await stored('asked')).toBeUndefined();
    }
  });
});

describe('when DynamoDB does not permit a change', () => {
  let proxy: FaultProxy;
  beforeAll(async () => {
    proxy = await FaultProxy.start();
    proxy.target = tables.endpoint;
  });
  afterAll(() => close(proxy.server));

  test.each([
    ...['keys add refused', 'keys add refused --json', 'keys add refused --correct --yes'],
    ...['keys revoke refused key-1 --yes', 'clients set-app-clients refused two --yes'],
    ...['clients remove refused --yes', 'clients create not-refused --app-client one'],
  ])('%s: nothing is changed, and no App-Id is printed that nobody has', async (words) => {
    await put('refused', { appIds: ['key-1', 'key-2'], appIdz: ['key-3'] });
    const before = await stored('refused');
    proxy.faultOf = ({ operation }) => (operation === 'UpdateItem' ? 'not permitted' : undefined);
    const { code, stdout, stderr } = await command(words, {}, { DynamoDbEndpoint: proxy.url });
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toMatch(/^dynamodb:UpdateItem on \S+ failed\. AccessDeniedException.*$/m);
    expect(stderr).not.toMatch(/[0-9a-f]{8}-|^(Added|Made|Revoked|Set|Removed|Created|This is) /m);
    expect(await stored('refused')).toEqual(before);
    expect(await stored('not-refused')).toBeUndefined();
  });

  test('keys that somebody joins after keys add has read them are not lost', async () => {
    await put('joined', { appIds: ['key-1'] });
    proxy.faultOf = () => undefined;
    proxy.onDone = async () => {
      proxy.onDone = async () => {};
      await put('joined', { appIds: 'key-1,key-2' });
    };
    const { code, stdout } = await command('keys add joined', {}, { DynamoDbEndpoint: proxy.url });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect((await stored('joined'))?.appIds).toBe('key-1,key-2');
  });
});

test('keys in a string with commas and in misspelled attributes are corrected together', async () => {
  await put('mixed', { appIds: 'b-key, a-key', appIdz: ['c-key'], appId: 'a-key' });
  const { code, stderr } = await command('keys add mixed --correct --yes');
  expect(code).toBe(0);
  const digests = ['a-key', 'b-key', 'c-key'].map(keyDigest).toSorted().join(', ');
  expect(stderr).toMatch(
    new RegExp(`^The keys ${digests} are in appIds, appIdz?, appIdz? of the client mixed in `),
  );
  const { lastChange, ...item } = (await stored('mixed')) ?? {};
  expect(item).toEqual({
    ...{ clientId: 'mixed', fields: [], lastFieldId: 0 },
    appIds: new Set(['a-key', 'b-key', 'c-key']),
  });
  expect(lastChange.message).toMatch(
    new RegExp(`^Moved the keys ${digests} from appIds, appIdz?, appIdz? to appIds$`),
  );
});

test('an App-Id is printed once, by the command that makes it, and nothing else shows one', async () => {
  const own = ['old-app-id-1', 'old-app-id-2', 'old-app-id-3'];
  const [first, second] = own;
  await put('silent', {
    appIds: new Set([first]),
    appIdz: own.slice(2),
    userPoolClientIds: ['one'],
  });
  const file = join(folder, 'app-id.txt');
  await writeFile(file, `${second}\n`);
  const made: string[] = [];
  for (const words of [
    `keys add silent --from ${file} --dry-run`,
    `keys add silent --from ${file} --json`,
    `keys add silent --from ${file}`,
    'keys add silent --json',
    'keys add silent',
    'keys add silent --dry-run',
    'keys add silent --correct --dry-run',
    'keys add silent --correct --yes',
    `keys revoke silent ${first} --dry-run`,
    `keys revoke silent ${first} --yes`,
    'keys revoke silent an-app-id-of-another-client --yes',
    ...['keys list silent', 'keys list silent --json', 'clients list', 'clients list --json'],
    ...['clients show silent', 'clients show silent --json', 'clients remove silent --dry-run'],
    `keys revoke silent ${second} --yes --force`,
  ]) {
    const { stdout, stderr } = await command(words);
    const [uuid] = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(stdout) ?? [];
    if (uuid !== undefined && words.startsWith('keys add')) made.push(uuid);
    const printed = [
      ...made.slice(0, uuid ? -1 : undefined),
      ...own,
      'an-app-id-of-another-client',
    ];
    const { appIds: _, appIdz, ...others } = (await stored('silent')) ?? {};
    // The history shows the message of each change.
    const shown = `${stdout}${stderr}${JSON.stringify(others)}`;
    for (const appId of printed) expect(shown, words).not.toContain(appId);
    for (const appId of made) expect(`${stderr}${JSON.stringify(others)}`).not.toContain(appId);
  }
  expect(made).toHaveLength(2);
});

describe('a deployment with several app clients', () => {
  test('has to be told which one a new client accepts', async () => {
    const { code, stdout, stderr } = await command('clients create several');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe(
      'Name the app client that the apps of this client sign in with: --app-client, one or more of one, two.\n',
    );
    expect(await stored('several')).toBeUndefined();
  });

  test.each(['clients create chosen --app-client', 'clients set-app-clients chosen'])(
    '%s: each one has to be of the deployment',
    async (words) => {
      await put('chosen', { appIds: ['key'] });
      const before = await stored('chosen');
      expect(await command(`${words} two foreign one other --dry-run`)).toEqual({
        ...{ code: 2, stdout: '' },
        stderr: 'The deployment has no app client foreign, other; it has one, two.\n',
      });
      expect(await stored('chosen')).toEqual(before);
    },
  );

  test('gives a client those that are chosen, and no other', async () => {
    expect(await command('clients create two-only --app-client two --dry-run')).toEqual({
      ...{ code: 0, stdout: '' },
      stderr:
        'Would create the client two-only in the local server.\nIt would accept the tokens of the app client two.\n',
    });
    expect((await command('clients create two-only --app-client two')).code).toBe(0);
    expect((await stored('two-only'))?.userPoolClientIds).toEqual(new Set(['two']));
    const { stderr } = await command('clients set-app-clients two-only two one two --yes');
    expect(stderr).toContain('It would accept those of the app clients one, two.\n');
    const after = await stored('two-only');
    expect(after).toMatchObject({
      userPoolClientIds: new Set(['one', 'two']),
      lastChange: { message: 'Set the app clients one, two' },
    });
    expect((await command('clients set-app-clients two-only two one two --yes')).stderr).toBe(
      'The client accepts the tokens of these already. Nothing was changed.\n',
    );
    expect(await stored('two-only')).toEqual(after);
    expect((await command('clients set-app-clients two-only one --yes')).code).toBe(0);
    expect((await stored('two-only'))?.userPoolClientIds).toEqual(new Set(['one']));
  });
});

test('set-app-clients removes a misspelled attribute also beside the right one', async () => {
  await put('both', { userPoolClientIds: new Set(['one']), userPoolClientId: ['two'] });
  const { code, stderr } = await command('clients set-app-clients both one --yes');
  expect(code).toBe(0);
  expect(stderr).toContain('The attribute userPoolClientId, a misspelling, would be removed.\n');
  expect(await stored('both')).not.toHaveProperty('userPoolClientId');
});

test.each([
  ['true', 'Client open: admits nobody', 'no app client', true],
  ['false', 'Client open', 'all app clients', false],
])(
  'where RequiresUserPoolClientIds is %s, all commands say whom a client without them admits',
  async (RequiresUserPoolClientIds, shown, named, admitsNobody) => {
    await put('open', { appIds: ['open-key'] });
    const told = (words: string) => command(words, {}, { RequiresUserPoolClientIds });
    const list = (await told('clients list --json')).stdout.trim().split('\n');
    const [client] = list
      .map((line) => JSON.parse(line))
      .filter(({ clientId }) => clientId === 'open');
    expect(client).toMatchObject({ admitsNobody, errors: admitsNobody ? 1 : 0, warnings: 0 });
    expect(client).not.toHaveProperty('findings');
    expect((await told('clients show open')).stdout).toContain(`${shown}\n`);
    const json = JSON.parse((await told('clients show open --json')).stdout);
    expect(json).toMatchObject({ admitsNobody, findings: { length: admitsNobody ? 1 : 0 } });
    expect((await told('clients remove open --dry-run')).stderr).toContain(`${shown}\n`);
    const { stderr } = await told('clients set-app-clients open one --dry-run');
    expect(stderr).toContain(`The client open accepts the tokens of ${named}.\n`);
  },
);

test('show prints each finding, and remove what it removes before it asks', async () => {
  await put('wrong', { appIds: [], userPoolClientIds: [], fields: [{ fieldType: 'date' }] });
  const { findings } = JSON.parse((await command('clients show wrong --json')).stdout);
  const shown = (await command('clients show wrong')).stdout.split('\n');
  expect(shown.filter((line) => /^ {2}(error|warning): /.test(line))).toHaveLength(findings.length);
  expect(findings.length).toBeGreaterThan(2);
  // Only what is wrong with the fields concerns what customers see.
  const preview = await command('preview wrong');
  expect(preview).toMatchObject({ code: 1, stdout: expect.stringContaining('No fields.') });
  expect(preview.stderr).toMatch(/^fields\[0\]\.[^\n]*\n/);
  const { stderr } = await command('clients remove wrong', { isTerminal: true, typed: 'no\n' });
  const [before = '', asked] = stderr.split('Local server: Remove the client wrong?');
  expect(before).toMatch(
    /^Client wrong: .*\n {2}keys +none\n.*\n {2}last command none\nIts history/s,
  );
  expect(asked).toContain('Nothing was changed.\n');
});

test('a command that asks fails without a terminal before it reads anything', async () => {
  for (const words of [
    ...['keys revoke demo 00000000', 'keys add demo --correct', 'clients remove demo'],
    'clients set-app-clients demo one',
  ]) {
    const unreachable = { DynamoDbEndpoint: 'http://127.0.0.1:1' };
    expect(await command(words, {}, unreachable)).toEqual({
      ...{ code: 2, stdout: '' },
      stderr:
        'Nothing was changed: there is no terminal to ask at. Add --yes to confirm without being asked.\n',
    });
  }
});

test('revoke names all keys that stay', async () => {
  await put('several-keys', { appIds: ['a', 'b', 'c'] });
  const stays = async (words: string) => (await command(words)).stderr.split('\n')[1];
  const [a, b, c] = ['a', 'b', 'c'].map(keyDigest);
  expect(await stays(`keys revoke several-keys ${a} --dry-run`)).toBe(
    `The keys ${[b, c].toSorted().join(', ')} stay.`,
  );
  await put('several-keys', { appIds: ['a', 'b'] });
  expect(await stays(`keys revoke several-keys ${a} --dry-run`)).toBe(`The key ${b} stays.`);
  await put('several-keys', { appIds: ['a'] });
  expect(await stays(`keys revoke several-keys ${a} --force --dry-run`)).toBe('No key stays.');
});
