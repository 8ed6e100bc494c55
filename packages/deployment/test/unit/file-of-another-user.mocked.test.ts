import type fs from 'node:fs';
import type promises from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { findDeployment } from '../../deployment.ts';
import { LOCAL_FOLDER, OUTPUTS_FILE, runningIssuer } from '../../local/index.ts';
import { expectNoServer } from '../../local/outputs-file.ts';

const FOLDER = '/srv/project/.local';
const HIDDEN = '/home/jane';
const denied = (path: unknown) =>
  Object.assign(new Error(`EACCES: permission denied, open '${path}'`), { code: 'EACCES' });

/** Files of user 4242, whose directory others can list, or `HIDDEN`, which they cannot. */
vi.mock('node:fs', async (importOriginal) => {
  const original = await importOriginal<typeof fs>();
  const statSync = (path: string) => {
    if (path.startsWith(`${HIDDEN}/`)) throw denied(path);
    return { uid: 4242 };
  };
  return { ...original, statSync };
});
vi.mock('node:fs/promises', async (importOriginal) => ({
  ...(await importOriginal<typeof promises>()),
  readFile: (path: string) => Promise.reject(denied(path)),
}));

const getuid = process.getuid;
const ofOwner = /^[^,]*, which belongs to user 4242\./;

test('a file of the local server of another user is named with its owner', async () => {
  process.getuid = () => 1000;
  onTestFinished(() => void Object.assign(process, { getuid }));
  const of = (folder: string) =>
    expect.objectContaining({
      code: 'unreadableFile',
      message: expect.stringContaining(join(folder, OUTPUTS_FILE)),
    });
  for (const [folder, use] of [
    [LOCAL_FOLDER, () => findDeployment({ local: true })],
    [FOLDER, () => runningIssuer(FOLDER)],
    [FOLDER, () => expectNoServer(FOLDER)],
    [HIDDEN, () => expectNoServer(HIDDEN)],
  ] as const) {
    await expect(use()).rejects.toThrow(of(folder));
    await expect(use()).rejects.toThrow(ofOwner);
  }
});
