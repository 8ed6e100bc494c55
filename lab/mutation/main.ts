/** `npm run mutation`: makes single mistakes in the code, and lists those that no test notices. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { runProgram } from '../../packages/deployment/program/run-program.ts';
import { synthesize } from '../../packages/local/synthesize.ts';
import { newFolder } from '../../test/support/new-folder.ts';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

interface Options {
  readonly mutate?: string;
}

const command = new Command('npm run mutation --')
  .description('Makes single mistakes in the code, and lists those that no test notices')
  .option('--mutate <files>', 'the files, with commas; default: those of stryker.config.json')
  .action((options: Options) => runProgram(() => mutate(options)));

await command.parseAsync();

async function mutate({ mutate: files }: Options): Promise<void> {
  // On Windows, npm is a batch file.
  const npm = { stdio: 'inherit', shell: process.platform === 'win32' } as const;
  spawnSync('npm', ['ci', '--silent', '--prefer-offline', '--prefix', FOLDER], npm);
  // Synthesized while the code has no mistake.
  await using cloudAssembly = await newFolder();
  await synthesize(cloudAssembly.path);
  const stryker = join(FOLDER, 'node_modules/@stryker-mutator/core/bin/stryker.js');
  const args = [stryker, 'run', join(FOLDER, 'stryker.config.json')];
  if (files !== undefined) args.push('--mutate', files);
  // Whole searches for each mistake would take days.
  const env = { ...process.env, SEARCH: '', MUTATION_CLOUD_ASSEMBLY: cloudAssembly.path };
  const { status } = spawnSync(process.execPath, args, { cwd: PROJECT, env, stdio: 'inherit' });
  process.exitCode = status ?? 1;
}
