import type promises from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { findDeployment } from '../../deployment.ts';
import { LOCAL_FOLDER, OUTPUTS_FILE, runningIssuer } from '../../local/index.ts';
import { expectNoServer } from '../../local/outputs-file.ts';

const FOLDER = '/srv/project/.local';

vi.mock('node:fs/promises', async (importOriginal) => ({
  ...(await importOriginal<typeof promises>()),
  readFile: (path: string) =>
    Promise.reject(
      Object.assign(new Error(`EACCES: permission denied, open '${path}'`), { code: 'EACCES' }),
    ),
}));

test.each([
  ['a command finds it', LOCAL_FOLDER, () => findDeployment({ local: true })],
  ['a token is issued', FOLDER, () => runningIssuer(FOLDER)],
  ['another server starts', FOLDER, () => expectNoServer(FOLDER)],
])(
  'a file of the local server that this user may not read is named when %s',
  async (_, folder, use) => {
    await expect(use()).rejects.toMatchObject({
      code: 'unreadableFile',
      message: expect.stringContaining(join(folder, OUTPUTS_FILE)),
    });
  },
);
