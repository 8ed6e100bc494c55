/**
 * Setup of the transcripts: `--local` names a server whose files are in the working directory, the
 * user of this machine is jane, the App-Ids that commands make are the same in each run, and
 * commands do not wait for seconds. Their clock stands still: a wait ends when what it waits for
 * has happened, however busy the machine is. A scenario in which it ends without that says so.
 */
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { resolve } from 'node:path';
import timers from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { getCallSites } from 'node:util';
import { afterAll, beforeEach, vi } from 'vitest';
import { stopServices } from './shared-service.ts';

vi.mock('../../../../deployment/local/folder-option.ts', async (importOriginal) => {
  const { FOLDER_OPTION } =
    await importOriginal<typeof import('customer-data-api-deployment/local')>();
  const folder = () => resolve('.local');
  Object.defineProperty(FOLDER_OPTION, 'defaultValue', { get: folder });
  return {
    FOLDER_OPTION,
    get LOCAL_FOLDER() {
      return folder();
    },
  };
});

const PROJECT = fileURLToPath(new URL('../../../../..', import.meta.url));

const { TZ } = process.env;
// Lists have local times.
process.env.TZ = 'UTC';

/** The packages of the commands. */
const COMMANDS = ['command-line', 'deployment', 'editor', 'on-call'];

/** Returns whether the function that is replaced is called in one of some folders of packages. */
function isCalledIn(...folders: readonly string[]): boolean {
  const caller = getCallSites(3)[2]?.scriptName ?? '';
  return folders.some((folder) => caller.includes(`${PROJECT}packages/${folder}/`));
}

const { randomUUID } = crypto;
let ids = 0;
// The digests of keys, which order lists, and the buckets of rollouts would differ in each run.
crypto.randomUUID = (options) =>
  isCalledIn('editor')
    ? `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`
    : randomUUID(options);
beforeEach(() => {
  ids = 0;
});

const { setTimeout: wait } = timers;
// No scenario waits as long as an operator would. Nothing but commands is in a hurry.
timers.setTimeout = ((ms, value, options) => {
  const isCommand = Number(ms) >= 100 && isCalledIn(...COMMANDS);
  return wait(isCommand ? 5 : ms, value, options);
}) as typeof wait;

/** False once Vitest restores, after the transcripts, what a scenario spied on: these functions. */
let standsStill = true;
const { now } = performance;
performance.now = () => (standsStill && isCalledIn(...COMMANDS) ? 0 : now.call(performance));
const { timeout } = AbortSignal;
AbortSignal.timeout = (ms) =>
  standsStill && isCalledIn(...COMMANDS)
    ? new AbortController().signal
    : timeout.call(AbortSignal, ms);

const { userInfo } = os;
os.userInfo = (() => ({ username: 'jane' })) as typeof userInfo;
syncBuiltinESMExports();

afterAll(async () => {
  Object.assign(crypto, { randomUUID });
  Object.assign(timers, { setTimeout: wait });
  standsStill = false;
  Object.assign(performance, { now });
  Object.assign(AbortSignal, { timeout });
  Object.assign(os, { userInfo });
  syncBuiltinESMExports();
  if (TZ === undefined) delete process.env.TZ;
  else process.env.TZ = TZ;
  await stopServices();
});
