import { afterAll, beforeAll, expect, test } from 'vitest';
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

test('npm run fault names the faults when it is given another', async () => {
  const { code, stderr } = await fault('nothing');
  expect(code).toBe(1);
  expect(stderr).toContain('none, throttle, table-down, keys-down, slow');
});
