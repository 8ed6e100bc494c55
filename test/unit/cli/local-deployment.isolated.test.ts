import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { findDeployment } from '../../../cli/deployment.ts';
import { OUTPUTS } from '../../support/outputs.ts';

/* `--local`, with another folder in place of that of the project, where a server may be running. */

const local = vi.hoisted(() => ({ folder: '' }));
vi.mock('../../../local/folder-option.ts', () => ({
  get LOCAL_FOLDER() {
    return local.folder;
  },
}));

beforeAll(async () => {
  local.folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
});
afterEach(() => vi.unstubAllGlobals());
afterAll(() => rm(local.folder, { recursive: true }));

const JwksUri = 'http://127.0.0.1:1/jwks.json';

const NOT_RUNNING = {
  ...{ exitCode: 4, message: 'The local server is not running. Start it with npm start.' },
};

test('without the outputs of a local server, it is not running', async () => {
  await expect(findDeployment({ local: true })).rejects.toMatchObject(NOT_RUNNING);
});

test('the outputs of a server that was killed are not enough: it has to respond', async () => {
  const file = join(local.folder, 'outputs.json');
  await writeFile(file, JSON.stringify({ 'CustomerDataApi-dev': { ...OUTPUTS, JwksUri } }));
  const fetched = vi.fn(() => Promise.reject(new TypeError('fetch failed')));
  vi.stubGlobal('fetch', fetched);
  await expect(findDeployment({ local: true })).rejects.toMatchObject(NOT_RUNNING);
  expect(fetched.mock.calls).toEqual([[JwksUri]]);

  vi.stubGlobal('fetch', async () => new Response());
  expect(await findDeployment({ local: true })).toMatchObject({
    ...{ stackName: 'CustomerDataApi-dev', outputsFile: file, isProduction: false },
    options: '--local',
  });
});
