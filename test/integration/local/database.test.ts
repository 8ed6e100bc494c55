import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBDocumentClient, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import inject from 'light-my-request';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { databaseClient } from '../../../local/aws-clients.ts';
import { embeddedDynamoDb, startDatabase } from '../../../local/database.ts';
import { close } from '../../../local/listen.ts';

const tables = ['Configs', 'Others'].map((tableName) => ({
  tableName,
  keySchema: [{ AttributeName: 'clientId', KeyType: 'HASH' as const }],
  attributeDefinitions: [{ AttributeName: 'clientId', AttributeType: 'S' as const }],
}));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs the database, and gives the items of both tables when they have been used. */
async function run(use: (client: DynamoDBDocumentClient) => Promise<unknown> = async () => {}) {
  const { server, endpoint } = await startDatabase(
    await embeddedDynamoDb(join(folder, 'data')),
    tables,
    'Configs',
    ['app-1', 'app-2'],
  );
  const client = DynamoDBDocumentClient.from(databaseClient(endpoint));
  await use(client);
  const scans = tables.map(({ tableName }) =>
    client.send(new ScanCommand({ TableName: tableName })),
  );
  const items = (await Promise.all(scans)).map(({ Items = [] }) => Items);
  client.destroy();
  await close(server);
  return items;
}

test('a new Configs table has the examples; later starts keep what operators did to them', async () => {
  const [configs, others] = await run();
  const examples = (await readdir('examples'))
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.replace('.yaml', ''));
  expect(configs?.map(({ clientId }) => clientId).sort()).toEqual(examples.sort());
  for (const { userPoolClientIds } of configs ?? []) {
    expect(userPoolClientIds).toEqual(new Set(['app-1', 'app-2']));
  }
  expect(others).toEqual([]);

  const edited = { clientId: examples[0], appIds: ['new'] };
  const before = await run((client) =>
    client.send(new PutCommand({ TableName: 'Configs', Item: edited })),
  );
  expect(before[0]).toContainEqual(edited);
  expect(await run()).toEqual(before);
});

/** A request that reads an item. */
const GET = {
  method: 'POST' as const,
  headers: {
    'Content-Type': 'application/x-amz-json-1.0',
    'X-Amz-Target': 'DynamoDB_20120810.GetItem',
    'X-Amz-Date': '20261121T000000Z',
    Authorization: 'AWS4-HMAC-SHA256 Credential=a, SignedHeaders=b, Signature=c',
  },
  body: JSON.stringify({ TableName: 'Configs', Key: { clientId: { S: 'demo' } } }),
};

test('it keeps its data open for requests whose connections are closed', async () => {
  const server = await embeddedDynamoDb();
  const { endpoint } = await startDatabase(server, tables, '', []);
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  let received = 0;
  server.on('request', () => {
    if (++received === 20) resolve(close(server));
  });
  // dynalite throws where nobody can catch it if its data is closed.
  const answers = Promise.allSettled(Array.from({ length: 20 }, () => fetch(endpoint, GET)));
  await closed;
  expect((await answers).filter(({ status }) => status === 'rejected')).not.toEqual([]);
});

test('it closes when requests in flight are done, and answers none after that', async () => {
  const server = await embeddedDynamoDb();
  const { endpoint } = await startDatabase(server, tables, '', []);
  const get = () =>
    inject((incoming, response) => server.emit('request', incoming, response), {
      url: '/',
      ...{ method: GET.method, headers: GET.headers, payload: GET.body },
    });
  // A request whose body does not arrive is not waited for.
  const cut = request(endpoint, { method: 'POST', headers: { 'Content-Length': 9 } });
  cut.on('error', () => {}).write('{');
  await once(server, 'request');
  let received = 0;
  let closed: Promise<void> | undefined;
  server.on('request', () => {
    if (++received === 20) closed = close(server);
  });
  for (const { statusCode } of await Promise.all(Array.from({ length: 20 }, get))) {
    expect(statusCode).toBe(200);
  }
  await closed;
  await expect(get()).rejects.toThrow();
});

test('a folder that cannot be used is named', async () => {
  const file = join(folder, 'file');
  await writeFile(file, '');
  await expect(embeddedDynamoDb(file)).rejects.toThrow(`The data folder ${file} cannot be used.`);
});
