import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { customerData } from '../../packages/command-line/test/support/command-line.ts';
import type { Outputs } from '../../packages/deployment/outputs.ts';
import {
  type Cleanup,
  createClient,
  createUser,
  type Subject,
} from '../../packages/on-call/smoke/subject.ts';

/** Ends a wait for what does not happen, also on a busy machine. */
const PATIENCE_MS = 5 * 60_000;
const POLL_MS = 200;

/** A deployed stack. */
export interface Deployment {
  readonly stackName: string;
  /** The folder for the files of the run. */
  readonly folder: string;
  readonly outputs: Outputs;
  /** The options of commands that name it. */
  readonly options: readonly string[];
  /** The base URL of the API. */
  readonly url: string;
  readonly print: (line: string) => void;
}

/**
 * Runs `./customer-data` on the deployment.
 *
 * @returns its standard output.
 * @throws AssertionError with its output if it fails.
 */
export async function command(
  { options, print }: Deployment,
  ...words: readonly string[]
): Promise<string> {
  const args = [...words, ...options];
  print(`$ ./customer-data ${args.join(' ')}`);
  const { code, stdout, stderr } = await customerData(args);
  assert.equal(code, 0, `./customer-data ${words.join(' ')} failed.\n${stdout}${stderr}`);
  return stdout;
}

/** Creates a user and a client for requests. */
export async function newSubject(
  { outputs, url }: Deployment,
  cleanup: Cleanup,
  cleanupOfClient = cleanup,
): Promise<Subject> {
  const user = await createUser(outputs, undefined, cleanup);
  return { url, ...user, ...(await createClient(outputs, user.userId, cleanupOfClient)) };
}

/** Waits until something is found, five minutes or as long as it may take. */
export async function until<T>(
  event: string,
  find: () => Promise<T | false | undefined>,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const found = await find();
    if (found) return found;
    assert.ok(Date.now() < deadline, `timed out waiting for ${event}`);
    await setTimeout(POLL_MS);
  }
}
