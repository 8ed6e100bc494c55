import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Outputs } from '../outputs.ts';
import { readTextFileIfAny } from '../program/file-error.ts';
import { UserError } from '../program/user-error.ts';

/** The file with the outputs, in the folder of a local server. */
export const OUTPUTS_FILE = 'outputs.json';

const PROBE_MS = 2000;

/** The outputs of the stack, with the local endpoints. */
export interface LocalOutputs extends Readonly<Record<keyof Outputs, string>> {
  /** The address where `npm run fault` reads and changes the fault. */
  readonly FaultEndpoint: string;
  /** Answers with an ID token, for apps under development. */
  readonly TokenEndpoint: string;
  /** The address of the console, with its secret, if the server has one. */
  readonly ConsoleUrl?: string;
}

/**
 * Writes `outputs.json`, unless another server uses the folder (UserError). The returned function
 * removes it, unless another server has replaced it.
 */
export async function writeOutputs(
  folder: string,
  stacks: Readonly<Record<string, LocalOutputs>>,
): Promise<() => Promise<void>> {
  const file = join(folder, OUTPUTS_FILE);
  const written = `${JSON.stringify(stacks, null, 2)}\n`;
  // Fails if the file exists: of two servers that start at once, one writes it.
  // With the secret of the console, others of this machine could change clients.
  const writeNew = () => writeFile(file, written, { flag: 'wx', mode: 0o600 });
  await writeNew().catch(async () => {
    await expectNoServer(folder);
    // A killed server left it behind.
    await rm(file, { force: true });
    await writeNew();
  });
  return async () => {
    const content = await readFile(file, 'utf8').catch(() => '');
    if (content === written) await rm(file);
  };
}

/**
 * Reads the outputs of the server that uses a folder.
 *
 * @throws UserError if it does not answer: it was killed, or it hangs.
 * @throws UsageError if another user of this machine runs it.
 */
export async function runningOutputs(folder: string): Promise<LocalOutputs> {
  const outputs = await readOutputs(folder);
  const state = await probe(outputs);
  if (outputs && state === 'answers') return outputs;
  const message =
    state === 'hangs'
      ? 'The local server does not answer. Stop it, and start it again with npm start.'
      : 'The local server is not running. Start it with npm start.';
  throw new UserError(message, 'localServerNotRunning');
}

/** Throws UserError if a server uses the folder: two would overwrite each other's files. */
export async function expectNoServer(folder: string): Promise<void> {
  const outputs = await readOutputs(folder);
  if (!outputs || (await probe(outputs)) === 'stopped') return;
  throw new UserError(
    `A local server is running at ${outputs.ApiUrl}, using ${folder}. Stop it, or start this one in another directory: npm start -- --folder .local/second`,
  );
}

async function readOutputs(folder: string): Promise<LocalOutputs | undefined> {
  const name = 'The outputs of the local server';
  const text = await readTextFileIfAny(name, join(folder, OUTPUTS_FILE));
  try {
    const stacks = JSON.parse(text ?? '');
    return Object.values<LocalOutputs>(stacks)[0];
  } catch {
    return undefined;
  }
}

/** Asks the server of the outputs for its keys: the file outlives a killed server. */
async function probe({ JwksUri = '' }: Partial<LocalOutputs> = {}) {
  try {
    const response = await fetch(JwksUri, { signal: AbortSignal.timeout(PROBE_MS) });
    await response.body?.cancel();
    return response.ok ? 'answers' : 'stopped';
  } catch (error) {
    // A suspended server keeps its port.
    return error instanceof Error && error.name === 'TimeoutError' ? 'hangs' : 'stopped';
  }
}
