import { randomUUID } from 'node:crypto';
import { access, appendFile, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { fingerprintOf } from 'customer-data-api/clients';
import { applyPromoCode, headersOf } from 'customer-data-api/operations';
import { itemsIn } from 'customer-data-api/testing/items-in';
import { newFolder } from 'customer-data-api/testing/new-folder';
import { WAIT_MS } from 'customer-data-api/testing/wait';
import { configurationTables, deploymentOf } from 'customer-data-api-deployment';
import type { Change, Done, Shown } from 'customer-data-api-deployment/change';
import { close, databaseClient, listen, runningIssuer } from 'customer-data-api-deployment/local';
import {
  appIdAddition,
  appIdRevocation,
  findAppIdUses,
  findRevokedUses,
} from 'customer-data-api-editor/clients';
import { findRefusals } from 'customer-data-api-on-call';
import { beforeEach, expect, inject, onTestFinished, test, vi } from 'vitest';
import { type LocalServerOptions, startLocalServer } from '../../../server/server.ts';
import { readCloudAssembly, type Synthesized } from '../../../synthesize.ts';

/* What a server does with its files and ports. */

let assembly: Synthesized;
let folder: string;
let outputsFile: string;
beforeEach(async () => {
  assembly = await readCloudAssembly(inject('cloudAssembly'));
  const files = await newFolder();
  onTestFinished(files.remove);
  folder = files.path;
  outputsFile = join(folder, 'outputs.json');
});

const start = (options: Partial<LocalServerOptions> = {}) =>
  startLocalServer(assembly, { port: 0, folder, log: () => {}, ...options });
const outputs = async () => JSON.parse(await readFile(outputsFile, 'utf8'));
const events = () => readFile(join(folder, 'events.jsonl'), 'utf8');
const listening = () =>
  process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length;

/** Starts a server of the test, which is not the local server. */
async function startOther(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  onTestFinished(() => close(server));
  return listen(server);
}

test('of two servers that start at the same time in a folder, one runs; a later one is refused and changes nothing', async () => {
  const started = await Promise.allSettled([start(), start()]);
  const servers = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  onTestFinished(async () => void (await Promise.all(servers.map((one) => one.stop()))));
  expect(servers).toHaveLength(1);
  const [first] = servers;
  const ApiUrl = first?.outputs.ApiUrl;
  await appendFile(join(folder, 'events.jsonl'), 'an event\n');
  await expect(start()).rejects.toThrow(`A local server is running at ${ApiUrl}`);
  expect(await outputs()).toEqual({ [assembly.stackName]: first?.outputs });
  // They have the secret of the console. On Windows, a file has the permissions of its folder.
  if (process.platform !== 'win32') expect((await stat(outputsFile)).mode & 0o077).toBe(0);
  expect(await events()).toBe('an event\n');
  expect((await fetch(`${ApiUrl}/promoCode/apply`, { method: 'POST' })).status).toBe(401);
  await first?.stop();
  await expect(access(outputsFile)).rejects.toThrow('ENOENT');
});

test('a server replaces the outputs of one that was killed, and removes only its own', async () => {
  // Another program got its port.
  const JwksUri = await startOther((_, response) => response.writeHead(404).end());
  await writeFile(outputsFile, JSON.stringify({ killed: { JwksUri } }));
  await expect(runningIssuer(folder)).rejects.toThrow('The local server is not running.');
  const server = await start();
  expect(Object.keys(await outputs())).toEqual([assembly.stackName]);
  await writeFile(outputsFile, 'of another');
  await server.stop();
  expect(await readFile(outputsFile, 'utf8')).toBe('of another');
});

test('a server that cannot start begins nothing before its port, and leaves none open', async () => {
  const port = Number(new URL(await startOther(() => {})).port);
  const before = listening();
  await expect(start({ port })).rejects.toThrow(`Port ${port} cannot be used (EADDRINUSE)`);
  await expect(events()).rejects.toThrow('ENOENT');
  const dataFolder = join(folder, 'file');
  await writeFile(dataFolder, '');
  await expect(start({ dataFolder })).rejects.toThrow(`${dataFolder} cannot be used.`);
  assembly = { ...assembly, assetFolders: new Map() };
  await expect(start()).rejects.toThrow(/^The cloud assembly has no asset \w+\.zip\.$/);
  // Node counts a handle until it has told that it is closed.
  await vi.waitFor(() => expect(listening()).toBe(before));
});

test('the uses of App-Ids are kept beside the outputs, where keys list finds them', async () => {
  const server = await start();
  onTestFinished(() => server.stop());
  const { ApiUrl, TokenEndpoint } = server.outputs;
  const headers = headersOf({
    idToken: await (await fetch(`${TokenEndpoint}?user=jane`)).text(),
    appId: 'demo-app-key',
    deviceId: randomUUID(),
    requestDate: new Date().toISOString(),
  });
  const request = { method: 'POST', headers, body: JSON.stringify({ clientId: 'demo' }) };
  expect((await fetch(`${ApiUrl}/customData/getConfig`, request)).status).toBe(200);
  const deployment = deploymentOf({ ...assembly, outputs: server.outputs }, outputsFile);
  const fingerprints = ['demo-app-key', 'other'].map(fingerprintOf);
  await vi.waitFor(async () => {
    expect(await findAppIdUses(deployment, 'demo', fingerprints)).toMatchObject([
      { uses: 1, lastLogged: expect.any(String) },
      { uses: 0 },
    ]);
  });
});

test('the fingerprints of refused App-Ids are kept, of which those are found that were revoked', async () => {
  const server = await start();
  onTestFinished(() => server.stop());
  const { ApiUrl, TokenEndpoint } = server.outputs;
  const deployment = deploymentOf({ ...assembly, outputs: server.outputs }, outputsFile);
  using tables = configurationTables(server.outputs);
  const make = async <S extends Shown, D extends Done>(change: Change<S, D>) => {
    const context = { deployment, tables } as Parameters<typeof change.show>[0];
    await change.apply(context, await change.show(context), 'ann');
  };
  await make(appIdAddition('demo', { existing: 'other-key' }));
  await make(appIdRevocation('demo', 'demo-app-key'));
  const idToken = await (await fetch(`${TokenEndpoint}?user=jane`)).text();
  for (const appId of ['demo-app-key', 'a-guess', 'demo-app-key']) {
    const requestDate = new Date().toISOString();
    const headers = headersOf({ idToken, appId, deviceId: randomUUID(), requestDate });
    const request = { method: 'POST', headers, body: JSON.stringify({ clientId: 'demo' }) };
    expect((await fetch(`${ApiUrl}/customData/getConfig`, request)).status).toBe(401);
  }
  const fingerprint = fingerprintOf('demo-app-key');
  await vi.waitFor(async () => {
    expect(await findRevokedUses(deployment, tables)).toEqual([
      { clientId: 'demo', fingerprint, requests: 2 },
    ]);
  });
});

test('refused promo codes are kept beside the outputs, by client and reason, where promo list finds them', async () => {
  const server = await start();
  onTestFinished(() => server.stop());
  const { ApiUrl, TokenEndpoint } = server.outputs;
  const idToken = await (await fetch(`${TokenEndpoint}?user=demo-user`)).text();
  const apply = async (changed: object, others: object = {}) => {
    const sent = { idToken, appId: 'demo-app-key', deviceId: randomUUID(), ...others };
    const headers = headersOf({ requestDate: new Date().toISOString(), ...sent });
    const body = JSON.stringify({ ...applyPromoCode.example.request, ...changed });
    return (await fetch(`${ApiUrl}/promoCode/apply`, { method: 'POST', headers, body })).status;
  };
  expect(await apply({})).toBe(200);
  expect(await apply({ promoCode: 'SUMMER-2026' })).toBe(400);
  expect(await apply({ promoCode: 'WINTER-2026' })).toBe(400);
  expect(await apply({ userId: 'another' })).toBe(403);
  expect(await apply({ clientId: 'acme', promoCode: 'SUMMER-2026' })).toBe(400);
  expect(await apply({}, { appId: 'revoked' })).toBe(401);
  expect(await apply({ source: undefined })).toBe(400);
  expect(await apply({}, { requestDate: '2020-01-01T00:00:00Z' })).toBe(401);
  const deployment = deploymentOf({ ...assembly, outputs: server.outputs }, outputsFile);
  const found = { hour: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:00:00Z$/) };
  await vi.waitFor(async () => {
    const refusals = await findRefusals(deployment, 'demo');
    expect(refusals).toMatchObject({
      ofClient: [
        { requests: 2, reason: expect.stringContaining('promoCode') },
        { ...found, requests: 1, reason: expect.stringContaining('userId') },
        { ...found, requests: 1, reason: expect.stringContaining('App-Id') },
        { ...found, requests: 1, reason: expect.stringContaining('source') },
      ],
      ofAnyClient: [{ ...found, requests: 1, reason: expect.stringContaining('Request-Date') }],
    });
    // Each has its own advice, also beside the one about the app.
    const { ofClient = [], ofAnyClient = [] } = Object(refusals);
    const advice = [...ofClient, ...ofAnyClient].map((one) => one.advice);
    expect(new Set(advice).size).toBe(5);
    const [code, user, appId, source, date] = advice;
    expect(code).toContain('10 characters');
    expect(user).toContain('Sign out');
    expect(appId).toContain('Update the app');
    expect(source).toContain('developer');
    expect(date).toContain('clock');
  });
});

// `npm start` tests the same of promo codes and events.
test('an edited client and the key of tokens survive a restart with the same folder for data', async () => {
  const UserPoolClientId = 'app-1,app-2';
  const stackOutputs: Record<string, string> = { ...assembly.template.outputs(), UserPoolClientId };
  const { ConfigsTableName: TableName = '' } = stackOutputs;
  vi.spyOn(assembly.template, 'outputs').mockReturnValue(stackOutputs);
  const before = listening();
  /** The clients that a server has, after one was edited. */
  const run = async (Item?: object) => {
    const server = await start({ dataFolder: join(folder, 'data') });
    const client = DynamoDBDocumentClient.from(databaseClient(server.outputs.DynamoDbEndpoint));
    if (Item) await client.send(new PutCommand({ TableName, Item }));
    const clients = await itemsIn(TableName, client);
    client.destroy();
    await server.stop();
    await vi.waitFor(() => expect(listening()).toBe(before));
    return { clients, issuer: server.issuer };
  };
  const { clients, issuer } = await run();
  // The examples accept each app client, and tokens are those of the first.
  const accepted = clients.map(({ userPoolClientIds }) => userPoolClientIds);
  expect(accepted).toEqual(Array(2).fill(new Set(['app-1', 'app-2'])));
  expect(issuer.userPoolClientId).toBe('app-1');
  const edited = await run({ clientId: clients[0]?.clientId, appIds: ['new'] });
  expect(edited.clients).not.toEqual(clients);
  expect(await run()).toEqual({ ...edited, issuer });
});

test('events that wait when the server ends reach the bus after restarts with the same folder for data, in order', async () => {
  const { PromoEventsTableName: TableName = '' } = assembly.template.outputs();
  const wait = { interval: 20, timeout: WAIT_MS };
  /** Runs a server that gets an item of each user, until it has logged or published something. */
  const run = async (users: string[], options: Partial<LocalServerOptions>, expected: string) => {
    let lines = '';
    const log = (line: string) => {
      lines += line;
    };
    const server = await start({ dataFolder: join(folder, 'data'), log, ...options });
    const client = DynamoDBDocumentClient.from(databaseClient(server.outputs.DynamoDbEndpoint));
    try {
      for (const userId of users) {
        const Item = { clientId: 'demo', eventId: `${userId}#A#applied`, userId, kind: 'applied' };
        await client.send(new PutCommand({ TableName, Item }));
      }
      await vi.waitFor(async () => expect(lines + (await published())).toContain(expected), wait);
    } finally {
      client.destroy();
      await server.stop();
    }
  };
  const published = async () =>
    [...(await events()).matchAll(/"userId":"(\w+)"/g)].map(([, user]) => user);
  const users = ['jane', 'john', 'joan'];
  await run(users, { fault: 'bus-down' }, 'not published yet');
  await run([], { fault: 'bus-down' }, 'not published yet');
  expect(await published()).toEqual([]);
  await run(['other'], { dataFolder: join(folder, 'other data') }, 'other');
  expect(await published()).toEqual(['other']);
  // It is in the second batch, which begins when the first one is done.
  await run(['later'], {}, 'later');
  await run(['last'], {}, 'last');
  // An event whose answer is lost comes twice.
  expect([...new Set(await published())]).toEqual(['other', ...users, 'later', 'last']);
});
