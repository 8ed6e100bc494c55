import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DeleteItemCommand, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { changeKeys, setAppClients } from '../../core/clients/change-client.ts';
import { keyDigest } from '../../core/clients/key-digest.ts';
import { exampleClients } from '../../core/configuration/example-clients.ts';
import { ConflictError } from '../../core/platform/command-error.ts';
import { databaseClient } from '../../local/aws-clients.ts';
import { customerData, type Surroundings } from '../support/command-line.ts';
import { type Service, startService } from '../support/service.ts';

/* `clients` and `keys`, with the service whose clients they are. */

let service: Service;
beforeAll(async () => {
  service = await startService({ CONFIG_CACHE_SECONDS: '0' });
});
afterAll(() => service.stop());

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\n$/;
const ADMIN = { isTerminal: true, columns: 200 };

function command(words: string, surroundings?: Surroundings) {
  return customerData([...words.split(' '), '--outputs', service.outputsFile], surroundings);
}

/** Creates a client, and returns its App-Id. */
async function create(clientId: string): Promise<string> {
  const { code, stdout } = await command(`clients create ${clientId}`);
  expect(code).toBe(0);
  return stdout.trim();
}

async function statusFor(clientId: string, appId: string): Promise<number> {
  const headers = { 'App-Id': appId };
  return (await service.getConfig({ body: { clientId }, headers })).status;
}

/** The attributes of a client as they are stored. */
async function stored(clientId: string) {
  const client = databaseClient(service.outputs.DynamoDbEndpoint);
  const { Item } = await client.send(
    new GetItemCommand({
      TableName: service.outputs.ConfigsTableName,
      Key: { clientId: { S: clientId } },
    }),
  );
  client.destroy();
  return Item;
}

describe('clients create', () => {
  test('makes a client that can call at once, and prints only its App-Id', async () => {
    const { code, stdout, stderr } = await command('clients create pizza');
    expect(stdout).toMatch(UUID);
    expect(stderr).toBe(
      'Created the client pizza in the local server.\nThis is its App-Id. It is not shown again:\n',
    );
    expect(code).toBe(0);
    expect(await statusFor('pizza', stdout.trim())).toBe(200);
    expect(await stored('pizza')).toMatchObject({
      fields: { L: [] },
      lastFieldId: { N: '0' },
      userPoolClientIds: { SS: [service.outputs.UserPoolClientId] },
      lastChange: { M: { message: { S: 'Created' } } },
    });
  });

  test('prints JSON', async () => {
    const { stdout } = await command('clients create json --json');
    const { appId } = JSON.parse(stdout);
    expect(JSON.parse(stdout)).toEqual({ clientId: 'json', appId, key: keyDigest(appId) });
    expect(await statusFor('json', appId)).toBe(200);
  });

  test('never overwrites: a conflict, also when two operators create at once', async () => {
    const both = await Promise.all([1, 2].map(() => command('clients create twice')));
    expect(both.map(({ code }) => code).sort()).toEqual([0, 3]);
    const [created] = both.filter(({ code }) => code === 0);
    const before = await stored('twice');
    for (const words of ['clients create twice', 'clients create twice --dry-run']) {
      const { code, stdout, stderr } = await command(words);
      expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
      expect(stderr).toMatch(/^There is a client twice already\..*\n$/);
    }
    expect(await stored('twice')).toEqual(before);
    expect(await statusFor('twice', created?.stdout.trim() ?? '')).toBe(200);
  });

  test('with --dry-run nothing is created', async () => {
    const { code, stdout, stderr } = await command('clients create later --dry-run');
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toContain('Would create the client later in the local server.');
    expect(await stored('later')).toBeUndefined();
  });

  test.each([
    ['clients create x --app-client foreign', /^The deployment has no app client foreign; it has /],
    [
      'clients create a@2',
      /^a@2 cannot be the id of a new client\. Use letters, digits, "\.", "-" and "_", with a letter or digit first, such as a-2\. In other commands, pizza@2 is a version, and pizza\.yaml a file\.\n$/,
    ],
    ['clients create Pizza! --dry-run', /^Pizza! cannot be .* such as pizza\. /],
    ['clients create menus/pizza.yaml', / such as menus-pizza\. /],
    ['clients create x.yaml', / such as x\. /],
    [`clients create ${'x'.repeat(256)}`, /It must have 1 to 255 characters/],
    ['clients create', /missing required argument 'clientId'/],
    ['clients creat x', /unknown command 'creat'/],
    ['clients create x --jsno', /unknown option '--jsno'/],
  ])('%s is a mistake of usage', async (words, expected) => {
    const { code, stdout, stderr } = await command(words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(expected);
  });
});

describe('clients list and show', () => {
  beforeAll(async () => {
    await service.putConfig({ clientId: 'locked', appIds: [], fields: [], lastFieldId: 0 });
    await service.putConfig({
      clientId: 'broken',
      appIds: ['broken-key'],
      userPoolClientIds: ['app'],
      fields: [{ id: '1', fieldType: 'date' }],
      lastFieldId: 1,
    });
  });

  test('list prints a line for each client with what needs attention, and no key', async () => {
    const { code, stdout, stderr } = await command('clients list');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = stdout.split('\n');
    expect(lines).toContain('demo                       4 fields   1 key');
    expect(lines).toContain(
      'locked                     0 fields  0 keys admits nobody, 1 error, any app client',
    );
    expect(lines.find((line) => line.startsWith('broken'))).toMatch(/1 field +1 key \d errors?$/);
    expect(stdout).not.toMatch(/demo-app-key|broken-key/);
    expect(stdout).not.toContain('\x1b');
  });

  test('list marks in colour on a terminal, where NO_COLOR does not forbid it', async () => {
    const { stdout } = await command('clients list', ADMIN);
    expect(stdout).toContain('\x1b[31madmits nobody\x1b[39m');
  });

  test('list prints a JSON document per line', async () => {
    const { stdout } = await command('clients list --json');
    const clients = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(clients.find(({ clientId }) => clientId === 'locked')).toMatchObject({
      keys: [],
      fields: 0,
      admitsNobody: true,
    });
  });

  test('show prints keys as digests, the app clients, and the findings', async () => {
    const { code, stdout } = await command('clients show broken');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      new RegExp(`^Client broken\n  keys +${keyDigest('broken-key')}\n  app clients +app\n`),
    );
    expect(stdout).toMatch(/^ {2}fields +1, lastFieldId 1$/m);
    expect(stdout).toMatch(/^ {2}last command +none$/m);
    expect(stdout).toMatch(/^ {2}error: fields\[0\]/m);
    expect(stdout).not.toContain('broken-key');
    const { clientId, findings } = JSON.parse((await command('clients show broken --json')).stdout);
    expect(clientId).toBe('broken');
    expect(findings.length).toBeGreaterThan(0);
  });

  test('show names a client that does not exist', async () => {
    expect(await command('clients show nobody')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'There is no client nobody.\n',
    });
  });
});

describe('clients set-app-clients', () => {
  const appClient = () => service.outputs.UserPoolClientId;
  /** A client that lost its app clients: somebody renamed the attribute. */
  const open = (clientId: string) =>
    service.putConfig({
      ...{ clientId, appIds: [`${clientId}-key`], fields: [], lastFieldId: 0 },
      userPoolClientId: ['another'],
    });

  test('separates a client again that lost its app clients, and removes the misspelling', async () => {
    await open('open');
    expect(await statusFor('open', 'open-key')).toBe(401);
    const words = `clients set-app-clients open ${appClient()}`;
    const shown = [
      'The client open accepts the tokens of no app client.',
      `It would accept those of the app client ${appClient()}.`,
      'The attribute userPoolClientId, a misspelling, would be removed.',
      '',
    ].join('\n');
    const before = await stored('open');
    expect(await command(`${words} --dry-run`)).toEqual({
      ...{ code: 0, stdout: '' },
      stderr: `${shown}Would set the app clients of the client open in the local server.\n`,
    });
    expect((await command(words)).code).toBe(2);
    const declined = await command(words, { ...ADMIN, typed: 'n\n' });
    expect(declined.code).toBe(1);
    expect(await stored('open')).toEqual(before);

    const agreed = await command(words, { ...ADMIN, typed: 'y\n' });
    expect({ code: agreed.code, stdout: agreed.stdout }).toEqual({ code: 0, stdout: '' });
    expect(agreed.stderr).toMatch(
      /Set the app clients of the client open in the local server\.\n$/,
    );
    expect(await statusFor('open', 'open-key')).toBe(200);
    const after = await stored('open');
    expect(after).not.toHaveProperty('userPoolClientId');
    expect(after).toMatchObject({
      appIds: { L: [{ S: 'open-key' }] },
      userPoolClientIds: { SS: [appClient()] },
      lastChange: { M: { message: { S: `Set the app clients ${appClient()}` } } },
    });
    expect(await command(words, { isTerminal: true })).toMatchObject({
      ...{ code: 0 },
      stderr: 'The client accepts the tokens of these already. Nothing was changed.\n',
    });
  });

  test('names all app clients that a client accepted', async () => {
    await service.putConfig({ clientId: 'any', appIds: ['key'], fields: [], lastFieldId: 0 });
    const { stderr } = await command(`clients set-app-clients any ${appClient()} --yes`);
    expect(stderr).toContain('The client any accepts the tokens of all app clients.\n');
  });

  test('of a client that does not exist changes nothing', async () => {
    expect(await command(`clients set-app-clients nobody ${appClient()} --yes`)).toEqual({
      ...{ code: 1, stdout: '', stderr: 'There is no client nobody.\n' },
    });
    expect(await stored('nobody')).toBeUndefined();
  });

  test('accepts no app client of another deployment', async () => {
    expect(await command('clients set-app-clients demo foreign --yes')).toMatchObject({
      ...{ code: 2, stdout: '' },
      stderr: expect.stringMatching(/^The deployment has no app client foreign; it has /),
    });
  });

  test.each<[string, object]>([
    ['the app clients', { userPoolClientIds: ['b'] }],
    ['the misspelled attribute', { userPoolClientId: ['b'] }],
  ])('is a conflict if somebody changed %s meanwhile', async (_, changed) => {
    const item = { clientId: 'raced', userPoolClientId: ['a'], appIds: ['key'], fields: [] };
    await service.putConfig({ ...item, ...changed });
    const { DynamoDbEndpoint, ConfigsTableName: tableName } = service.outputs;
    const dynamodb = databaseClient(DynamoDbEndpoint);
    const change = { by: 'ann', message: 'Separate' };
    const setting = setAppClients({ dynamodb, tableName }, item, ['app'], change);
    await expect(setting).rejects.toThrow(ConflictError);
    dynamodb.destroy();
    expect(await stored('raced')).not.toHaveProperty('lastChange');
  });
});

describe('clients remove', () => {
  test('asks for the id, and removes the client when it is typed', async () => {
    const appId = await create('gone');
    const refused = await command('clients remove gone', { ...ADMIN, typed: 'y\n' });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('\nIts history and its promo events stay.\n');
    expect(refused.stderr).toMatch(/Local server: Remove the client gone\? Type gone to confirm: /);
    expect(refused.stderr).toMatch(/Nothing was changed\.\n$/);
    expect(await statusFor('gone', appId)).toBe(200);

    const { code, stdout, stderr } = await command('clients remove gone', {
      ...ADMIN,
      typed: 'gone\n',
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toMatch(/Removed the client gone from the local server\.\n$/);
    expect(await stored('gone')).toBeUndefined();
    expect(await statusFor('gone', appId)).toBe(401);
  });

  test('does not ask without a terminal; --yes answers, and --dry-run only shows', async () => {
    await create('kept');
    const unanswered = await command('clients remove kept');
    expect(unanswered.code).toBe(2);
    expect(unanswered.stderr).toContain('Add --yes');
    const dry = await command('clients remove kept --dry-run');
    expect(dry.code).toBe(0);
    expect(dry.stderr).toContain('Would remove the client kept');
    expect(await stored('kept')).toBeDefined();
    expect((await command('clients remove kept --yes')).code).toBe(0);
    expect(await stored('kept')).toBeUndefined();
    expect((await command('clients remove kept --yes')).code).toBe(1);
  });
});

describe('keys', () => {
  test('are rotated without downtime: add, both work, revoke, one works', async () => {
    const first = await create('rotated');
    const to = 'to the client rotated in the local server.\n';
    expect(await command('keys add rotated --dry-run')).toEqual({
      ...{ code: 0, stdout: '', stderr: `Would add a key ${to}` },
    });
    const { code, stdout: added, stderr } = await command('keys add rotated');
    expect(code).toBe(0);
    expect(added).toMatch(UUID);
    const second = added.trim();
    expect(stderr).toBe(
      `Added the key ${keyDigest(second)} ${to}This is the App-Id. It is not shown again:\n`,
    );
    for (const key of [first, second]) expect(await statusFor('rotated', key)).toBe(200);
    expect((await command('keys list rotated')).stdout).toBe(
      `${[first, second].map(keyDigest).sort().join('\n')}\n`,
    );

    const asked = await command(`keys revoke rotated ${keyDigest(first)}`, {
      ...ADMIN,
      typed: 'y\n',
    });
    expect(asked.code).toBe(0);
    expect(asked.stderr).toContain(`\nThe key ${keyDigest(second)} stays.\n`);
    expect(asked.stderr).not.toContain(first);
    expect(await statusFor('rotated', first)).toBe(401);
    expect(await statusFor('rotated', second)).toBe(200);
    expect((await command('clients show rotated')).stdout).toContain(
      `: Revoked the key ${keyDigest(first)}\n`,
    );
  });

  test('list says on the standard error that there are none', async () => {
    await service.putConfig({ clientId: 'keyless', appIds: [], fields: [], lastFieldId: 0 });
    for (const words of ['keys list keyless', 'keys list keyless --json']) {
      expect(await command(words)).toEqual({
        ...{ code: 0, stdout: '' },
        stderr: 'The client keyless has no keys: every request of its apps is refused.\n',
      });
    }
  });

  test('the last one is revoked only with --force', async () => {
    const key = keyDigest(await create('last'));
    const refused = await command(`keys revoke last ${key} --yes`);
    expect(refused).toEqual({
      ...{ code: 2, stdout: '' },
      stderr:
        'This is the last key of the client last: every request would be refused. Add another one with keys add, or revoke it with --force.\n',
    });
    expect((await command(`keys revoke last ${key} --yes --force`)).code).toBe(0);
    expect((await command('clients list')).stdout).toMatch(/^last .* admits nobody, 1 error$/m);
    const added = await command('keys add last --json');
    expect(await statusFor('last', JSON.parse(added.stdout).appId)).toBe(200);
  });

  test.each<[string, unknown]>([
    ['a string set', new Set(['old-key'])],
    ['a list', ['old-key']],
    ['one string', 'old-key'],
    ['a list with something else in it', ['old-key', 7]],
  ])('can be added and revoked where %s is stored', async (_, appIds) => {
    await service.putConfig({ clientId: 'odd', appIds, fields: [], lastFieldId: 0 });
    const added = (await command('keys add odd')).stdout.trim();
    for (const key of ['old-key', added]) expect(await statusFor('odd', key)).toBe(200);
    expect((await command('keys revoke odd old-key --yes')).code).toBe(0);
    expect(await statusFor('odd', 'old-key')).toBe(401);
    expect(await stored('odd')).toMatchObject({ appIds: { SS: [added] } });
  });

  test('that were lost are given back from a file or the standard input, and not printed', async () => {
    const [first, second] = [await create('forgetful'), 'another-old-key'];
    await service.putConfig({ clientId: 'forgetful', fields: [], lastFieldId: 0 });
    expect(await statusFor('forgetful', first)).toBe(401);
    const file = join(service.folder, 'app-id.txt');
    await writeFile(file, `${first}\n`);
    const key = keyDigest(first);
    const dry = await command(`keys add forgetful --from ${file} --dry-run`);
    expect(dry.stderr).toBe(
      `Would add the key ${key} to the client forgetful in the local server.\n`,
    );
    expect(await command(`keys add forgetful --from ${file}`)).toEqual({
      ...{ code: 0, stdout: '' },
      stderr: `Added the key ${key} to the client forgetful in the local server.\n`,
    });
    const piped = await command('keys add forgetful --from - --json', { typed: second });
    expect(piped.stdout).toBe(`{"clientId":"forgetful","key":"${keyDigest(second)}"}\n`);
    for (const appId of [first, second]) expect(await statusFor('forgetful', appId)).toBe(200);
    expect((await command(`keys add forgetful --from ${file}`)).stderr).toBe(
      `The client has the key ${key} already. Nothing was changed.\n`,
    );
  });

  test.each([
    ['', 'The standard input must contain one App-Id, and nothing else.\n'],
    ['one\ntwo\n', 'The standard input must contain one App-Id, and nothing else.\n'],
  ])('are not read from %j', async (typed, stderr) => {
    const before = await stored('acme');
    expect(await command('keys add acme --from -', { typed })).toEqual({
      ...{ code: 2, stdout: '', stderr },
    });
    const file = join(service.folder, 'no-app-id.txt');
    await writeFile(file, typed);
    expect((await command(`keys add acme --from ${file}`)).stderr).toBe(
      stderr.replace('The standard input', file),
    );
    expect((await command('keys add acme --from /no/such')).stderr).toBe(
      'The App-Id cannot be read: there is no file /no/such.\n',
    );
    expect(await stored('acme')).toEqual(before);
  });

  test('in a misspelled attribute admit nobody, which keys add says and corrects', async () => {
    const client = { clientId: 'typo', fields: [], lastFieldId: 0 };
    await service.putConfig({ ...client, AppIDs: new Set(['typo-key', 'typo-key-2']) });
    const [first, second] = ['typo-key', 'typo-key-2'].map(keyDigest).toSorted();
    const added = await command('keys add typo');
    expect(added.stderr).toContain(
      'The attribute AppIDs looks like a misspelling of appIds, so what is in it admits nobody. keys add typo --correct makes App-Ids of it.\n',
    );
    expect(await statusFor('typo', added.stdout.trim())).toBe(200);
    expect(await statusFor('typo', 'typo-key')).toBe(401);
    const found = `The keys ${first}, ${second} are in AppIDs of the client typo in the local server.\n`;
    const before = await stored('typo');
    expect(await command('keys add typo --correct --dry-run')).toEqual({
      ...{ code: 0, stdout: '' },
      stderr: `${found}Would make App-Ids of them, and remove the attribute AppIDs.\n`,
    });
    expect(await command('keys add typo --correct')).toMatchObject({
      ...{ code: 2, stdout: '' },
      stderr: expect.stringMatching(/^Nothing was changed: there is no terminal/),
    });
    const declined = await command('keys add typo --correct', { ...ADMIN, typed: 'n\n' });
    expect(declined.code).toBe(1);
    expect(declined.stderr).toMatch(
      /Local server: Make App-Ids of them, .*Nothing was changed\.\n$/s,
    );
    expect(await stored('typo')).toEqual(before);
    expect(await command('keys add typo --correct --yes')).toEqual({
      ...{ code: 0, stdout: '' },
      stderr: `${found}Made App-Ids of them, and removed the attribute AppIDs.\n`,
    });
    expect((await stored('typo'))?.lastChange?.M?.message).toEqual({
      S: `Moved the keys ${first}, ${second} from AppIDs to appIds`,
    });
    for (const key of [added.stdout.trim(), 'typo-key', 'typo-key-2']) {
      expect(await statusFor('typo', key)).toBe(200);
    }
    expect(await stored('typo')).not.toHaveProperty('AppIDs');
    expect(await command('keys add typo --correct --yes')).toEqual({
      ...{ code: 1, stdout: '' },
      stderr: 'No attribute of the client typo looks like a misspelling of appIds.\n',
    });
  });

  test.each<[string, unknown]>([
    ['a string set', new Set(['a-key', 'b-key'])],
    ['a list', ['a-key', 'b-key']],
    ['one string', 'a-key'],
  ])('in a misspelled attribute are read from %s', async (_, appId) => {
    const others = { appUIs: ['not-a-key'], fields: [], lastFieldId: 0 };
    await service.putConfig({ clientId: 'readable', appId, appIdz: ['c-key'], ...others });
    const { code, stderr } = await command('keys add readable --correct --yes');
    expect(stderr).toMatch(/removed the attributes [\w, ]+\.\n$/);
    expect(code).toBe(0);
    for (const key of ['a-key', 'c-key']) expect(await statusFor('readable', key)).toBe(200);
    expect(await statusFor('readable', 'not-a-key')).toBe(401);
    const after = await stored('readable');
    for (const name of ['appId', 'appIdz']) expect(after).not.toHaveProperty(name);
  });

  test.each<[string, unknown]>([
    ['several in one string', 'a-key,b-key'],
    ['a number', 7],
    ['a list with a number', ['a-key', 7]],
    ['a list with an empty string', ['a-key', '']],
    ['an empty list', []],
  ])('are not lost from a misspelled attribute with %s', async (_, appId) => {
    const others = { appIdz: ['c-key'], fields: [], lastFieldId: 0 };
    await service.putConfig({ clientId: 'unreadable', appId, ...others });
    const before = await stored('unreadable');
    for (const option of ['--yes', '--dry-run']) {
      const { code, stdout, stderr } = await command(`keys add unreadable --correct ${option}`);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toBe(
        'Nothing was changed: the attribute appId has a value that cannot be read as an App-Id, or none at all. It must be a string set or a list with each App-Id as a string of its own. Correct it in the table, or remove it there if it has no App-Id.\n',
      );
    }
    expect(await stored('unreadable')).toEqual(before);
  });

  test('are not lost from an appIds that is one string with commas, and can be separated', async () => {
    await service.putConfig({
      ...{ clientId: 'joined', appIds: 'a-key, b-key', fields: [], lastFieldId: 0 },
    });
    const before = await stored('joined');
    for (const option of ['', ' --dry-run', ' --json']) {
      expect(await command(`keys add joined${option}`)).toMatchObject({ code: 1, stdout: '' });
    }
    const [first, second] = ['a-key', 'b-key'].map(keyDigest).toSorted();
    const found = `The keys ${first}, ${second} are in appIds of the client joined in the local server.\n`;
    expect(await command('keys add joined --correct --dry-run')).toEqual({
      ...{ code: 0, stdout: '', stderr: `${found}Would make App-Ids of them.\n` },
    });
    expect(await stored('joined')).toEqual(before);
    expect(await command('keys add joined --correct --yes')).toEqual({
      ...{ code: 0, stdout: '', stderr: `${found}Made App-Ids of them.\n` },
    });
    expect((await stored('joined'))?.lastChange?.M?.message).toEqual({
      S: `Separated the keys ${first}, ${second} in appIds`,
    });
    for (const key of ['a-key', 'b-key']) expect(await statusFor('joined', key)).toBe(200);
  });

  test('are not made of appUIs, which is an attribute of fields', async () => {
    const misplaced = { appUIs: ['signup'], fields: [], lastFieldId: 0 };
    await service.putConfig({ clientId: 'misplaced', ...misplaced });
    expect((await command('keys add misplaced --dry-run')).stderr).not.toContain('appUIs');
    expect(await command('keys add misplaced --correct --yes')).toEqual({
      ...{ code: 1, stdout: '' },
      stderr: 'No attribute of the client misplaced looks like a misspelling of appIds.\n',
    });
    expect(await stored('misplaced')).toMatchObject({ appUIs: { L: [{ S: 'signup' }] } });
  });

  test('in a misspelled attribute are not lost if somebody changes it meanwhile', async () => {
    const client = { clientId: 'typo-2', fields: [], lastFieldId: 0 };
    await service.putConfig({ ...client, appIdz: ['a'] });
    const dynamodb = databaseClient(service.outputs.DynamoDbEndpoint);
    const table = { dynamodb, tableName: service.outputs.ConfigsTableName };
    let calls = 0;
    const next = (_: readonly string[], { appIdz }: Readonly<Record<string, unknown>>) => {
      calls += 1;
      return appIdz as string[];
    };
    dynamodb.middlewareStack.add(
      (send, { commandName }) =>
        async (args) => {
          // Between the read and the first write.
          if (commandName === 'UpdateItemCommand' && calls === 1) {
            await service.putConfig({ ...client, appIdz: ['a', 'b'] });
          }
          return send(args);
        },
      { step: 'initialize' },
    );
    await changeKeys(table, 'typo-2', next, { by: 'me', message: '' }, ['appIdz']);
    dynamodb.destroy();
    const { appIds } = (await stored('typo-2')) ?? {};
    expect({ calls, appIds }).toEqual({ calls: 2, appIds: { SS: ['a', 'b'] } });
  });

  test('are all there when several operators add one at once', async () => {
    const first = await create('crowd');
    const all = await Promise.all([1, 2].map(() => command('keys add crowd')));
    for (const { stdout } of all) expect(await statusFor('crowd', stdout.trim())).toBe(200);
    expect(await statusFor('crowd', first)).toBe(200);
  });

  test.each(['00000000', '1234', 'Z', 'another-clients-key'])(
    'the key %s, which the client does not have, is not revoked, and the answer lists those that it has',
    async (key) => {
      const { code, stderr } = await command(`keys revoke acme ${key} --yes`);
      expect(code).toBe(1);
      expect(stderr).toBe(
        `The client acme has no such key; it has only the key ${keyDigest('acme-app-key')}.\n`,
      );
    },
  );

  test.each([
    'keys list nobody',
    'keys add nobody',
    'keys add nobody --dry-run',
    'keys revoke nobody x --yes',
  ])('%s: there is no such client, and none is made', async (words) => {
    expect(await command(words)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'There is no client nobody.\n',
    });
    expect(await stored('nobody')).toBeUndefined();
  });
});

test('a client that has an id that no new one may have keeps it, and comes back with it', async () => {
  const clientId = 'old@hut!';
  await service.putConfig({ clientId, appIds: ['old-hut-key'], fields: [], lastFieldId: 0 });
  expect((await command(`clients show ${clientId}`)).code).toBe(0);
  expect((await command(`keys add ${clientId}`)).code).toBe(0);
  expect((await command(`clients remove ${clientId} --yes`)).code).toBe(0);
  await vi.waitFor(async () => {
    const { stdout } = await command(`config history ${clientId}`);
    expect(stdout).toContain('the client was removed');
  }, 10_000);
  expect(await command(`config rollback ${clientId}@1 -m Back --yes`)).toEqual({
    ...{ code: 1, stdout: '' },
    stderr: `There is no client ${clientId} any more. customer-data clients create ${clientId} makes it again. Then roll back, and give it back its App-Id: customer-data keys add ${clientId} --from FILE.\nNothing was published.\n`,
  });
  expect((await command(`clients create ${clientId}`)).code).toBe(0);
  expect((await command(`config rollback ${clientId}@1 -m Back --yes`)).code).toBe(0);
});

test('a client that was deleted by hand comes back, with its fields and its App-Id', async () => {
  const { clientId: _, ...demo } =
    exampleClients().find(({ clientId }) => clientId === 'demo') ?? {};
  const [clientId, appId] = ['deleted', 'deleted-app-key'];
  await service.putConfig({ ...demo, clientId, appIds: [appId] });
  const get = () => service.getConfig({ body: { clientId }, headers: { 'App-Id': appId } });
  const before = await get();
  expect(before.status).toBe(200);
  await vi.waitFor(
    async () => expect((await command('config show deleted@1')).code).toBe(0),
    10_000,
  );
  const dynamodb = databaseClient(service.outputs.DynamoDbEndpoint);
  await dynamodb.send(
    new DeleteItemCommand({
      TableName: service.outputs.ConfigsTableName,
      Key: { clientId: { S: clientId } },
    }),
  );
  dynamodb.destroy();
  expect((await get()).status).toBe(401);

  expect((await command('clients create deleted')).code).toBe(0);
  expect((await command('config rollback deleted@1 -m Back --yes')).code).toBe(0);
  expect((await command('keys add deleted --from -', { typed: appId })).code).toBe(0);
  expect((await get()).body).toEqual(before.body);
});
