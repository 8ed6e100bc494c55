import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { FAULTS } from '../../local/fault-switch.ts';
import { close, listen } from '../../local/listen.ts';
import { run } from '../support/processes.ts';
import { type Service, startService } from '../support/service.ts';

/* Runs the command as a user does: in a process of its own. */

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const fault = (...args: string[]) => run('fault', ['--folder', service.folder, ...args]);

test('npm run fault switches the fault of the running server, and prints it', async () => {
  const switched = await fault('throttle');
  expect(switched).toEqual({
    code: 0,
    stdout: 'throttle: every request gets 429 ThrottlingException\n',
    stderr: '',
  });
  expect((await service.getConfig()).status).toBe(429);
  expect((await fault()).stdout).toBe(switched.stdout);
  expect((await fault('none')).stdout).toBe('none: everything works\n');
  expect((await service.getConfig()).status).toBe(200);
});

test('npm run fault explains each fault with --help', async () => {
  const { code, stdout } = await run('fault', ['--help']);
  expect(code).toBe(0);
  for (const [name, explanation] of Object.entries(FAULTS)) {
    expect(stdout).toMatch(new RegExp(`^  ${name} +${explanation}$`, 'm'));
  }
});

test('npm run fault names the faults when it is given another', async () => {
  const { code, stderr } = await fault('nothing');
  expect(code).toBe(1);
  expect(stderr).toContain('none, throttle, table-down, keys-down, slow');
});

test('npm run fault says what to do if the server does not know the fault', async () => {
  const server = createServer(({ url }, response) => {
    response.statusCode = url === '/keys' ? 200 : 404;
    response.end('Not found');
  });
  const endpoint = await listen(server);
  const folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
  onTestFinished(async () => {
    await close(server);
    await rm(folder, { recursive: true });
  });
  const outputs = { JwksUri: `${endpoint}/keys`, FaultEndpoint: `${endpoint}/fault` };
  await writeFile(join(folder, 'outputs.json'), JSON.stringify({ 'CustomerDataApi-dev': outputs }));
  expect(await run('fault', ['--folder', folder, 'slow'])).toEqual({
    ...{ code: 1, stdout: '' },
    stderr: 'The local server runs another version. Restart it.\n',
  });
});
