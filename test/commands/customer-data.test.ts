import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { databaseClient } from '../../local/aws-clients.ts';
import { type LocalServer, startLocalServer } from '../../local/server.ts';
import { readCloudAssembly } from '../../local/synthesize.ts';
import { customerData, type Surroundings } from '../support/command-line.ts';
import { PIZZA } from '../support/configurations.ts';

/* The commands on configurations, with the local server as the deployment. */

let folder: string;
let server: LocalServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'customer-data-api-cli-'));
  server = await startLocalServer(await readCloudAssembly(inject('cloudAssembly')), {
    port: 0,
    folder,
    log: () => {},
  });
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

/** Runs `customer-data config` for the local server. */
const config = (command: string, args: readonly string[], surroundings: Surroundings = {}) =>
  customerData(['config', command, ...outputs(), ...args], surroundings);
const outputs = () => ['--outputs', join(folder, 'outputs.json')];
const pull = (...args: readonly string[]) => config('pull', args);

async function put(item: Record<string, unknown>): Promise<void> {
  const { ConfigsTableName: TableName, DynamoDbEndpoint } = server.outputs;
  const client = DynamoDBDocumentClient.from(databaseClient(DynamoDbEndpoint));
  await client.send(new PutCommand({ TableName, Item: item }));
  client.destroy();
}

describe('config pull', () => {
  test('prints a configuration in a readable order, without keys, and config check accepts it', async () => {
    const { code, stdout, stderr } = await pull('demo');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /^clientId: demo\nbase: [0-9a-f]{64}\nlastFieldId: 4\nfields:\n {2}- id: "1"\n {4}fieldType: text\n {4}fieldName: Company\n {4}mandatory: false\n/,
    );
    expect(stdout).not.toContain('appIds');
    expect(stdout).not.toContain('demo-app-key');
    const file = join(folder, 'demo.yaml');
    await writeFile(file, stdout);
    expect(await customerData(['config', 'check', file])).toEqual({
      code: 0,
      stdout: `${file}:57:7 warning: fields[2].subFieldB.placeHolderText: has 13 characters, and the customer may enter 10.\n`,
      stderr: '0 errors, 1 warning.\n',
    });
  });

  test('shows what is stored, also if apps cannot get it, and not what the service derives', async () => {
    await put({
      clientId: 'odd',
      userPoolClientIds: new Set(['app']),
      appIds: ['key'],
      owner: 'marketing',
      feilds: [],
      fields: [
        {
          zebra: 1,
          id: 7,
          fieldType: 'text',
          subFieldA: { subType: 'text', options: '' },
          subFieldB: {},
          appUIs: new Set(['register', 'profile']),
        },
      ],
    });
    const { stdout } = await pull('odd');
    expect(stdout.replace(/base: \w{64}\+\w{64}/, 'base: …')).toBe(
      `clientId: odd
base: …
fields:
  - id: 7
    fieldType: text
    appUIs:
      - profile
      - register
    subFieldA:
      subType: text
    zebra: 1
feilds: []
`,
    );
  });

  test('writes a file, and overwrites none', async () => {
    const file = join(folder, 'acme.yaml');
    expect(await pull('acme', file)).toEqual({ code: 0, stdout: '', stderr: '' });
    const written = await readFile(file, 'utf8');
    const schema = relative(folder, 'examples/configuration.schema.json');
    expect(written).toMatch(`# yaml-language-server: $schema=${schema}\nclientId: acme\n`);
    await writeFile(file, 'edited');
    expect(await pull('acme', file)).toEqual({
      code: 1,
      stdout: '',
      stderr: `${file} exists already. Name another file, or remove it.\n`,
    });
    expect(await readFile(file, 'utf8')).toBe('edited');
  });

  test.each<[string, string[], number, string]>([
    ['a client that does not exist', ['nobody'], 1, 'There is no client nobody.\n'],
    [
      'a file as JSON',
      ['demo', '/no/such/demo.yaml', '--json'],
      2,
      'A file is YAML, and --json only prints. Leave out one of them.\n{"error":{"code":"usage","message":"A file is YAML, and --json only prints. Leave out one of them."}}\n',
    ],
    [
      'a file in a folder that does not exist',
      ['demo', '/no/such/demo.yaml'],
      2,
      'The configuration cannot be written: the folder of /no/such/demo.yaml does not exist.\n',
    ],
  ])('%s: one line, and an exit code', async (_, args, code, stderr) => {
    expect(await pull(...args)).toEqual({ code, stdout: '', stderr });
  });

  test('prints JSON', async () => {
    const { stdout } = await pull('acme', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ clientId: 'acme', lastFieldId: 1 });
  });
});

describe('config diff', () => {
  const diff = (...args: readonly string[]) => config('diff', args);

  test('says what customers notice, and shows the lines', async () => {
    const file = join(folder, 'changed.yaml');
    const { stdout: yaml } = await pull('demo');
    await writeFile(file, yaml.replace('mandatory: false', 'mandatory: true'));
    const { code, stdout, stderr } = await diff('demo', file);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout.split('\n').filter((line) => /^[A-Z+-]/.test(line))).toEqual([
      'Company becomes mandatory.',
      '--- demo',
      `+++ ${file}`,
      '-    mandatory: false',
      '+    mandatory: true',
    ]);
    const json = await diff('demo', file, '--json');
    expect({ ...json, stderr: JSON.parse(json.stderr) }).toMatchObject({
      ...{ code: 1, stderr: { error: { code: 'different' } } },
    });
    expect(JSON.parse(json.stdout)).toEqual({
      changes: ['Company becomes mandatory.'],
      lines: stdout.trimEnd().split('\n').slice(2),
    });
  });

  test('says that there is no difference', async () => {
    const file = join(folder, 'unchanged.yaml');
    await pull('demo', file);
    const stderr = 'The configurations are equal.\n';
    expect(await diff('demo', file)).toEqual({ code: 0, stdout: '', stderr });
    const json = await diff('demo', file, '--json');
    expect(json).toMatchObject({ code: 0, stderr });
    expect(JSON.parse(json.stdout)).toEqual({ changes: [], lines: [] });
  });

  test.each<[string, string, string]>([
    [
      'is not YAML',
      'fields: [',
      ':1:10 Flow sequence in block collection must be sufficiently indented and end with a ]; write ] or } at its end.\n',
    ],
    ['is not a map', '[]', ' must be a map with clientId, lastFieldId and fields.\n'],
  ])('a file that %s: one line, and exit code 1', async (_, text, message) => {
    const file = join(folder, 'wrong.yaml');
    await writeFile(file, text);
    expect(await diff('demo', file)).toEqual({ code: 1, stdout: '', stderr: `${file}${message}` });
  });
});

describe('config history', () => {
  const history = (...args: readonly string[]) => config('history', args);

  test.each([[], ['--json']])('of a client that never was: exit code 1, %j', async (...options) => {
    expect(await history('nobody', ...options)).toEqual({
      ...{ code: 1, stdout: '', stderr: expect.stringMatching(/^There is no client nobody\.\n/) },
    });
  });

  test.each([[], ['--json']])(
    'of a client that nobody has changed yet says so, and succeeds, %j',
    async (...options) => {
      expect(await history('demo', ...options)).toEqual({
        ...{ code: 0, stdout: '' },
        stderr: 'The history of demo is empty: it begins with the next change.\n',
      });
    },
  );

  test('of a client that was removed is still there', async () => {
    const clients = (command: string, ...options: readonly string[]) =>
      customerData(['clients', command, 'gone', ...outputs(), ...options]);
    await clients('create');
    // It is empty, and exits with 0, until the version is recorded.
    await vi.waitFor(async () => expect((await history('gone')).stdout).not.toBe(''), 10_000);
    await clients('remove', '--yes');
    expect(await history('gone')).toMatchObject({
      ...{ code: 0, stderr: '', stdout: expect.stringMatching(/^VERSION .*\n.* Created\n$/s) },
    });
    await vi.waitFor(async () => {
      const [newest = ''] = (await history('gone', '--json')).stdout.split('\n');
      expect(JSON.parse(newest)).toMatchObject({
        ...{ version: 2, source: 'published', message: 'Removed', isDeleted: true },
      });
    }, 10_000);
  });

  test('prints no header if DynamoDB cannot be reached', async () => {
    const file = join(folder, 'unreachable.json');
    const unreachable = { ...server.outputs, DynamoDbEndpoint: 'http://127.0.0.1:1' };
    await writeFile(file, JSON.stringify({ 'CustomerDataApi-dev': unreachable }));
    const { code, stdout } = await customerData(['config', 'history', 'demo', '--outputs', file]);
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
  });
});

describe('config check', () => {
  const LOW = PIZZA.replace('lastFieldId: 3', 'lastFieldId: 2');

  test('prints errors before warnings, and ends with exit code 1', async () => {
    const file = join(folder, 'broken.yaml');
    await writeFile(file, `${LOW}feilds: []\n`);
    const last = LOW.split('\n').length;
    expect(await customerData(['config', 'check', file])).toEqual({
      code: 1,
      stdout: [
        `${file}:${last}:1 error: feilds: is not an attribute that the service knows; fields is.`,
        `${file}:2:1 warning: lastFieldId: is below 3, the highest id of a field: the next field could get an id twice.`,
        '',
      ].join('\n'),
      stderr: '1 error, 1 warning.\n',
    });
  });

  test('prints JSON, a finding per line', async () => {
    const file = join(folder, 'warning.yaml');
    await writeFile(file, LOW);
    const { stdout, stderr } = await customerData(['config', 'check', '--json', file]);
    expect(stderr).toBe('0 errors, 1 warning.\n');
    expect(JSON.parse(stdout)).toEqual({
      ...{ severity: 'warning', code: 'lastFieldIdTooLow', path: ['lastFieldId'] },
      ...{ line: 2, column: 1 },
      message: expect.stringMatching(/^is below 3, /),
    });
  });

  test('a file that does not exist: one line, and exit code 2', async () => {
    expect(await customerData(['config', 'check', '/no/such.yaml'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'The configuration cannot be read: there is no file /no/such.yaml.\n',
    });
  });
});
