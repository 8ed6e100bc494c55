import { rm } from 'node:fs/promises';
import { readCloudAssembly, startLocalServer } from 'customer-data-api-local';
import { expect, inject, test } from 'vitest';
import { copyProject } from '../support/documents/project-copy.ts';
import { runFile } from '../support/processes.ts';

test('beside npm start, 50 customers at once get a benefit that counts ten times', async () => {
  const { folder } = await copyProject();
  const stack = await readCloudAssembly(inject('cloudAssembly'));
  const server = await startLocalServer(stack, { port: 0, folder, log: () => {} });
  try {
    const command = 'examples/consumers/grant/local.ts';
    for (const _ of ['first', 'again']) {
      expect(await runFile(command, ['SAVE10', '50', '10'], {}, folder)).toMatchObject({
        code: 0,
        stderr: '',
        stdout: 'granted: 10\nused up: 40\n',
      });
    }
    // The event has the code without spaces: the command must not wait for ever.
    const spaced = await runFile(command, [' SAVE10 ', '1', '1'], {}, folder);
    expect(spaced).toMatchObject({ code: 1, stdout: '' });
    expect(spaced.stderr).toContain('The bus has 0 events of " SAVE10 ".');
  } finally {
    await server.stop();
    await rm(folder, { recursive: true });
  }
});
