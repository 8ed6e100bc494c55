import { access, appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBDocumentClient, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, inject, onTestFinished, test, vi } from 'vitest';
import { CommandError } from '../../../core/platform/command-error.ts';
import { databaseClient } from '../../../local/aws-clients.ts';
import { close, listen } from '../../../local/listen.ts';
import { type ReadStream, runningIssuer, startLocalServer } from '../../../local/server.ts';
import { readCloudAssembly } from '../../../local/synthesize.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('a second server in the same folder says why it does not start, and the first one goes on', async () => {
  const assembly = await readCloudAssembly(inject('cloudAssembly'));
  const start = () => startLocalServer(assembly, { port: 0, folder, log: () => {} });
  const outputsFile = join(folder, 'outputs.json');
  const readOutputs = async () => JSON.parse(await readFile(outputsFile, 'utf8'));

  const first = await start();
  const { ApiUrl } = first.outputs;
  await appendFile(join(folder, 'events.jsonl'), 'an event\n');
  await expect(start()).rejects.toThrow(
    `A local server is running at ${ApiUrl}, with its files in ${folder}. Stop it, or start this one with a folder of its own: npm start -- --folder .local/second`,
  );
  expect(await readOutputs()).toEqual({ [assembly.stackName]: first.outputs });
  expect(await readFile(join(folder, 'events.jsonl'), 'utf8')).toBe('an event\n');
  expect((await fetch(`${ApiUrl}/promoCode/apply`, { method: 'POST' })).status).toBe(401);
  await first.stop();
  await expect(readFile(outputsFile)).rejects.toMatchObject({ code: 'ENOENT' });
});

test('of two servers that start at the same time in a folder, one runs', async () => {
  const assembly = await readCloudAssembly(inject('cloudAssembly'));
  const start = () => startLocalServer(assembly, { port: 0, folder, log: () => {} });
  const started = await Promise.allSettled([start(), start()]);
  const running = started.filter(({ status }) => status === 'fulfilled');
  expect(running).toHaveLength(1);
  for (const one of started) if (one.status === 'fulfilled') await one.value.stop();
});

test('a server replaces the outputs of one that was killed, and removes only its own', async () => {
  const assembly = await readCloudAssembly(inject('cloudAssembly'));
  const outputsFile = join(folder, 'outputs.json');
  await writeFile(outputsFile, JSON.stringify({ killed: { JwksUri: 'http://127.0.0.1:1/' } }));
  const server = await startLocalServer(assembly, { port: 0, folder, log: () => {} });
  expect(Object.keys(JSON.parse(await readFile(outputsFile, 'utf8')))).toEqual([
    assembly.stackName,
  ]);
  await writeFile(outputsFile, 'of another');
  await server.stop();
  expect(await readFile(outputsFile, 'utf8')).toBe('of another');
  await rm(outputsFile);
});

test('the issuer of a folder can be read while its server responds, and not once it was killed', async () => {
  const assembly = await readCloudAssembly(inject('cloudAssembly'));
  const server = await startLocalServer(assembly, { port: 0, folder, log: () => {} });
  const outputs = await readFile(join(folder, 'outputs.json'));
  expect(await runningIssuer(folder)).toEqual(server.issuer);
  await rm(join(folder, 'signing-key.json'));
  await expect(runningIssuer(folder)).rejects.toThrow(
    new CommandError(`${folder} has no key. Restart the local server.`),
  );
  await server.stop();
  const notRunning = 'The local server is not running. Start it with npm start.';
  await expect(runningIssuer(folder)).rejects.toThrow(notRunning);
  // A server that is killed leaves its outputs behind.
  await writeFile(join(folder, 'outputs.json'), outputs);
  await expect(runningIssuer(folder)).rejects.toThrow(notRunning);
});

const listening = () =>
  process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length;

test('a server that cannot start begins nothing before its port, and leaves none open', async () => {
  const assembly = await readCloudAssembly(inject('cloudAssembly'));
  const others = join(folder, 'others');
  const other = createServer();
  const port = Number(new URL(await listen(other)).port);
  const before = listening();
  const options = { port, folder: others, log: () => {} };
  await expect(startLocalServer(assembly, options)).rejects.toThrow(`Port ${port} cannot be used`);
  await expect(access(join(others, 'events.jsonl'))).rejects.toMatchObject({ code: 'ENOENT' });
  const withoutCode = { ...assembly, assetFolders: new Map<string, string>() };
  await expect(startLocalServer(withoutCode, { ...options, port: 0 })).rejects.toThrow(
    /^The cloud assembly has no asset \w+\.zip\.$/,
  );
  await vi.waitFor(() => expect(listening()).toBe(before), 10_000);
  await close(other);
});

test('a server whose engine has streams reads those that only a function reads, until it stops', async () => {
  const assembly = await readCloudAssembly(inject('cloudAssembly'));
  const stopReading = vi.fn(async () => {});
  const readStream = vi.fn<ReadStream>(async () => stopReading);
  const options = { port: 0, folder, readStream, log: () => {} };
  const { outputs, functions, stop } = await startLocalServer(assembly, options);
  const { ConfigsTableName } = outputs;
  const parameters = [expect.stringMatching(/^http:/), ConfigsTableName, expect.any(Function)];
  expect(readStream.mock.calls).toEqual([parameters]);
  // It reads the engine, not the server that derives records.
  expect(readStream.mock.lastCall?.[0]).not.toBe(outputs.DynamoDbEndpoint);
  const invoked = vi.fn(async (_event: unknown) => ({ batchItemFailures: [] }));
  for (const one of functions.values()) vi.spyOn(one, 'invoke').mockImplementation(invoked);
  // A write makes no record besides those that are read.
  const client = databaseClient(outputs.DynamoDbEndpoint);
  await DynamoDBDocumentClient.from(client).send(
    new PutCommand({ TableName: ConfigsTableName, Item: { clientId: 'demo' } }),
  );
  client.destroy();
  const record = { dynamodb: { SequenceNumber: '1' } };
  readStream.mock.lastCall?.[2](record);
  await vi.waitFor(() => expect(invoked).toHaveBeenCalled());
  expect(invoked.mock.calls).toEqual([[{ Records: [record] }]]);
  expect(stopReading).not.toHaveBeenCalled();
  await stop();
  expect(stopReading).toHaveBeenCalledOnce();
});

test('a server that has stopped listens on no port, and its data folder can be used again', async () => {
  const assembly = await readCloudAssembly(inject('cloudAssembly'));
  const dataFolder = join(folder, 'data');
  const before = listening();
  for (const _ of ['first', 'second']) {
    const options = { port: 0, folder, dataFolder, log: () => {} };
    const server = await startLocalServer(assembly, options);
    expect(listening()).toBeGreaterThan(before);
    await server.stop();
    // Node counts a handle until it has told that it is closed.
    await vi.waitFor(() => expect(listening()).toBe(before), 10_000);
  }
});

test('with several app clients, the examples accept each of them, and tokens are of the first', async () => {
  const assembly = await readCloudAssembly(inject('cloudAssembly'));
  const outputs = assembly.template.outputs();
  const both = { ...outputs, UserPoolClientId: 'app-1,app-2' };
  vi.spyOn(assembly.template, 'outputs').mockReturnValue(both);
  const server = await startLocalServer(assembly, { port: 0, folder, log: () => {} });
  onTestFinished(server.stop);
  const client = databaseClient(server.outputs.DynamoDbEndpoint);
  const { Items = [] } = await DynamoDBDocumentClient.from(client).send(
    new ScanCommand({ TableName: server.outputs.ConfigsTableName }),
  );
  client.destroy();
  expect(Items).not.toEqual([]);
  for (const { userPoolClientIds } of Items) {
    expect(userPoolClientIds).toEqual(new Set(['app-1', 'app-2']));
  }
  expect(server.issuer.userPoolClientId).toBe('app-1');
});
