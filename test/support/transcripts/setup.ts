/**
 * Setup of the transcripts: `--local` names a server whose files are in the working directory, the user of this machine is jane, and
 * the App-Ids that commands make are the same in each run.
 */
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { resolve } from 'node:path';
import { afterAll, beforeEach, vi } from 'vitest';
import { stopServices } from './shared-service.ts';

vi.mock('../../../local/folder-option.ts', async (importOriginal) => {
  const { FOLDER_OPTION } =
    await importOriginal<typeof import('../../../local/folder-option.ts')>();
  const folder = () => resolve('.local');
  Object.defineProperty(FOLDER_OPTION, 'defaultValue', { get: folder });
  return {
    FOLDER_OPTION,
    get LOCAL_FOLDER() {
      return folder();
    },
  };
});

const { randomUUID } = crypto;
let appIds = 0;
// Lists of keys are in the order of their digests, which would be another one in each run.
crypto.randomUUID = (options) =>
  /\/cli\/(clients|keys)\//.test(new Error().stack?.split('\n')[2] ?? '')
    ? `00000000-0000-4000-8000-${String(++appIds).padStart(12, '0')}`
    : randomUUID(options);
beforeEach(() => {
  appIds = 0;
});

const user = os.userInfo();
os.userInfo = (() => ({ ...user, username: 'jane' })) as typeof os.userInfo;
syncBuiltinESMExports();

afterAll(stopServices);
