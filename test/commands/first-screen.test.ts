import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { readCloudAssembly, startLocalServer } from 'customer-data-api-local';
import { expect, inject, test } from 'vitest';
import { copyProject } from '../support/documents/project-copy.ts';
import { runFile } from '../support/processes.ts';

test('beside npm start, the first screen of an app shows its fields to somebody unknown', async () => {
  const { folder } = await copyProject();
  const stack = await readCloudAssembly(inject('cloudAssembly'));
  const server = await startLocalServer(stack, { port: 0, folder, log: () => {} });
  try {
    await promisify(execFile)('npm', ['run', 'build', '-w', 'packages/sdk'], { cwd: folder });
    const { ApiUrl: API_URL, TokenEndpoint: GUEST_URL } = server.outputs;
    const show = (env: NodeJS.ProcessEnv) =>
      runFile('examples/guests/first-screen.ts', [], env, folder);
    expect(await show({ API_URL, GUEST_URL })).toMatchObject({
      stdout: expect.stringContaining('Company\n'),
      stderr: 'success\n',
    });
    // Without a token, the customer registers without the fields.
    const nobody = await show({ API_URL, GUEST_URL: `${GUEST_URL}nowhere/` });
    expect(nobody).toMatchObject({ code: 0, stdout: '' });
  } finally {
    await server.stop();
    await rm(folder, { recursive: true });
  }
});
