import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CommandError } from '../../core/platform/command-error.ts';
import { type LeftOut, leaveOutRefused } from './left-out.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const CDK = createRequire(import.meta.url).resolve('aws-cdk/bin/cdk');
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Options of the project's CDK for one deployment. */
export interface CdkOptions {
  /** The folder for the stage file, the cloud assembly and the outputs file. */
  readonly folder: string;
  readonly stage: string;
  /** The content of the stage file. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
}

/** The file that `deploy` writes the outputs to. */
export function outputsFile({ folder }: Pick<CdkOptions, 'folder'>): string {
  return join(folder, 'outputs.json');
}

/** `cdk bootstrap` of the account and region in the environment variables. */
export function bootstrap(options: CdkOptions): Promise<void> {
  return cdk('bootstrap', [], options);
}

/** `cdk deploy` */
export function deploy(options: CdkOptions): Promise<void> {
  return cdk('deploy', deployArgs(options), options);
}

/**
 * `cdk synth`, and `cdk deploy` of everything that the emulator does not refuse.
 *
 * @returns what was left out.
 */
export async function deployToEmulator(options: CdkOptions): Promise<readonly LeftOut[]> {
  await cdk('synth', ['--quiet'], options);
  const cloudAssembly = cloudAssemblyOf(options);
  const leftOut = await leaveOutRefused(cloudAssembly, `CustomerDataApi-${options.stage}`);
  await cdk('deploy', ['--app', cloudAssembly, ...deployArgs(options)], options);
  return leftOut;
}

/**
 * Synthesizes once more, and compares the result with what was deployed to the emulator, as a second deployment would.
 *
 * @throws CommandError with the differences, if there are any.
 */
export async function expectUnchanged(options: CdkOptions): Promise<void> {
  const again = { ...options, folder: join(options.folder, 'again') };
  await cdk('synth', ['--quiet'], again);
  const cloudAssembly = cloudAssemblyOf(again);
  await leaveOutRefused(cloudAssembly, `CustomerDataApi-${options.stage}`);
  await cdk('diff', ['--fail', '--method', 'template', '--app', cloudAssembly], again);
}

function deployArgs(options: CdkOptions): string[] {
  return ['--require-approval', 'never', '--outputs-file', outputsFile(options)];
}

function cloudAssemblyOf({ folder }: CdkOptions): string {
  return join(folder, 'cdk.out');
}

/** `cdk destroy` */
export function destroy(options: CdkOptions): Promise<void> {
  return cdk('destroy', ['--force'], options);
}

/** @throws CommandError with the command's output if it fails. */
async function cdk(
  subcommand: string,
  args: readonly string[],
  options: CdkOptions,
): Promise<void> {
  const { folder, stage, settings, signal } = options;
  const stages = join(folder, 'stages');
  await mkdir(stages, { recursive: true });
  await writeFile(join(stages, `${stage}.json`), JSON.stringify(settings));
  const context = ['-c', `stages=${stages}`, '-c', `stage=${stage}`];
  const output = ['--output', cloudAssemblyOf(options)];
  const always = [...output, '--no-notices', '--no-color', ...context];
  try {
    await promisify(execFile)(process.execPath, [CDK, subcommand, ...args, ...always], {
      cwd: PROJECT,
      maxBuffer: MAX_OUTPUT_BYTES,
      signal,
    });
  } catch (error) {
    const {
      stdout = '',
      stderr = '',
      message,
    } = error as Error & {
      stdout?: string;
      stderr?: string;
    };
    if (signal.aborted) throw new CommandError(`cdk ${subcommand} was interrupted.`);
    throw new CommandError(`cdk ${subcommand} failed.\n${`${stdout}${stderr}`.trim() || message}`);
  }
}
