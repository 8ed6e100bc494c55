import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { runningIssuer, startLocalServer } from '../../../local/server.ts';
import { readCloudAssembly } from '../../../local/synthesize.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('a server removes its outputs when it stops, but not those of a server that replaced it', async () => {
  const assembly = await readCloudAssembly(inject('cloudAssembly'));
  const start = () => startLocalServer(assembly, { port: 0, folder, log: () => {} });
  const outputsFile = join(folder, 'outputs.json');
  const readOutputs = async () => JSON.parse(await readFile(outputsFile, 'utf8'));

  const first = await start();
  expect(await readOutputs()).toEqual({ [assembly.stackName]: first.outputs });
  const second = await start();
  await first.stop();
  expect(await readOutputs()).toEqual({ [assembly.stackName]: second.outputs });
  await second.stop();
  await expect(readFile(outputsFile)).rejects.toMatchObject({ code: 'ENOENT' });
});

test('the issuer of a folder can be read while its server responds, and not once it was killed', async () => {
  const assembly = await readCloudAssembly(inject('cloudAssembly'));
  const server = await startLocalServer(assembly, { port: 0, folder, log: () => {} });
  const outputs = await readFile(join(folder, 'outputs.json'));
  expect(await runningIssuer(folder)).toEqual(server.issuer);
  await server.stop();
  const notRunning = 'The local server is not running. Start it with npm start.';
  await expect(runningIssuer(folder)).rejects.toThrow(notRunning);
  // A server that is killed leaves its outputs behind.
  await writeFile(join(folder, 'outputs.json'), outputs);
  await expect(runningIssuer(folder)).rejects.toThrow(notRunning);
});
