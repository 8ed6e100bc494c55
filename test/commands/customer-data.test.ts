import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { databaseClient } from '../../local/database.ts';
import { type LocalServer, startLocalServer } from '../../local/server.ts';
import { readCloudAssembly } from '../../local/synthesize.ts';
import { customerData } from '../support/command-line.ts';

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

const pull = (...args: readonly string[]) =>
  customerData(['config', 'pull', '--outputs', join(folder, 'outputs.json'), ...args]);

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
      /^clientId: demo\nlastFieldId: 4\nfields:\n {2}- id: "1"\n {4}fieldType: text\n {4}fieldName: Company\n {4}mandatory: false\n/,
    );
    expect(stdout).not.toContain('appIds');
    expect(stdout).not.toContain('demo-app-key');
    const file = join(folder, 'demo.yaml');
    await writeFile(file, stdout);
    expect(await customerData(['config', 'check', file])).toEqual({
      code: 0,
      stdout: `${file}:56:7 advice: fields[2].subFieldB.placeHolderText: has 13 characters, and the customer may enter 10.\n0 errors, 1 piece of advice.\n`,
      stderr: '',
    });
  });

  test('shows an item as it is stored, also one that apps cannot get', async () => {
    await put({
      clientId: 'odd',
      userPoolClientIds: new Set(['app']),
      appIds: ['key'],
      feilds: [{ zebra: 1, id: 7, appUIs: new Set(['register', 'profile']) }],
    });
    expect((await pull('odd')).stdout).toBe(
      `clientId: odd\nfeilds:\n  - id: 7\n    appUIs:\n      - profile\n      - register\n    zebra: 1\n`,
    );
  });

  test('writes a file, and overwrites none', async () => {
    const file = join(folder, 'acme.yaml');
    expect(await pull('acme', file)).toEqual({ code: 0, stdout: '', stderr: '' });
    const written = await readFile(file, 'utf8');
    expect(written).toMatch(/^clientId: acme\n/);
    await writeFile(file, 'edited');
    expect(await pull('acme', file)).toEqual({
      code: 1,
      stdout: '',
      stderr: `${file} exists already. Name another file, or remove it.\n`,
    });
    expect(await readFile(file, 'utf8')).toBe('edited');
  });

  test.each<[string, string[], string]>([
    ['a client that does not exist', ['nobody'], 'There is no client nobody.\n'],
    [
      'a file in a folder that does not exist',
      ['demo', '/no/such/demo.yaml'],
      "The configuration cannot be written: ENOENT: no such file or directory, open '/no/such/demo.yaml'\n",
    ],
  ])('%s: one line, and exit code 1', async (_, args, stderr) => {
    expect(await pull(...args)).toEqual({ code: 1, stdout: '', stderr });
  });
});

describe('config diff', () => {
  const diff = (...args: readonly string[]) =>
    customerData(['config', 'diff', '--outputs', join(folder, 'outputs.json'), ...args]);

  test('says what customers notice, and shows the lines', async () => {
    const file = join(folder, 'changed.yaml');
    const { stdout: yaml } = await pull('demo');
    await writeFile(file, yaml.replace('mandatory: false', 'mandatory: true'));
    const { code, stdout, stderr } = await diff('demo', file);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n').filter((line) => /^[A-Z+-]/.test(line))).toEqual([
      'Company becomes mandatory.',
      '--- demo',
      `+++ ${file}`,
      '-    mandatory: false',
      '+    mandatory: true',
    ]);
  });

  test('says that there is no difference', async () => {
    const file = join(folder, 'unchanged.yaml');
    await pull('demo', file);
    expect((await diff('demo', file)).stdout).toBe('The configurations are equal.\n');
  });

  test.each<[string, string, string]>([
    [
      'is not YAML',
      'fields: [',
      ':1:10 Flow sequence in block collection must be sufficiently indented and end with a ]\n',
    ],
    ['is not a map', '[]', ' must be a map with clientId, lastFieldId and fields.\n'],
  ])('a file that %s: one line, and exit code 1', async (_, text, message) => {
    const file = join(folder, 'wrong.yaml');
    await writeFile(file, text);
    expect(await diff('demo', file)).toEqual({ code: 1, stdout: '', stderr: `${file}${message}` });
  });
});

describe('config check', () => {
  test('prints errors before advice, and ends with exit code 1', async () => {
    const file = join(folder, 'broken.yaml');
    await writeFile(file, 'clientId: pizza\nlastFieldId: "1"\nowner: marketing\nfeilds: []\n');
    expect(await customerData(['config', 'check', file])).toEqual({
      code: 1,
      stdout: [
        `${file}:1:1 error: fields: is missing; a client without fields has an empty list.`,
        `${file}:2:1 error: lastFieldId: is not an integer; it is the highest id that a field ever had.`,
        `${file}:4:1 error: feilds: is not an attribute that the service knows; fields is.`,
        `${file}:3:1 advice: owner: is not an attribute that the service knows.`,
        '',
      ].join('\n'),
      stderr: '3 errors, 1 piece of advice.\n',
    });
  });

  test('a file that does not exist: one line, and exit code 1', async () => {
    expect(await customerData(['config', 'check', '/no/such.yaml'])).toEqual({
      code: 1,
      stdout: '',
      stderr:
        "The configuration cannot be read: ENOENT: no such file or directory, open '/no/such.yaml'\n",
    });
  });
});
