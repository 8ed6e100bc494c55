import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/* CI passes --require, so that tests which a machine cannot run do not pass by being left out. */

test.each([
  ['test/clients/main.ts', 'There is no javac and no mvn here'],
  ['test/app-client/main.ts', 'There is no Chromium'],
])('%s --require fails without the programs that it needs', async (script, message) => {
  const running = promisify(execFile)(process.execPath, [script, '--require'], {
    env: { ...process.env, PATH: dirname(process.execPath) },
  });
  await expect(running).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(new RegExp(`^${message}.*\\n$`)),
  });
});
