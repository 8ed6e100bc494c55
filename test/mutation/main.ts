/**
 * `npm run mutation`: changes the code of `core/` and `functions/` in one place at a time, and fails when the tests do not
 * notice. Options go to Stryker: `npm run mutation -- --mutate core/text.ts`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPackages } from '../../bench/packages.ts';
import { CommandError, runCommand } from '../../core/platform/command-error.ts';
import { synthesize } from '../../local/synthesize.ts';
import { CLOUD_ASSEMBLY } from './cloud-assembly.ts';
import { type Equivalent, type Report, unexpected } from './survivors.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDER = join(PROJECT, 'test/mutation');
const BUILD = join(PROJECT, 'build/mutation');

await runCommand(async () => {
  await installPackages(FOLDER);
  const cloudAssembly = join(BUILD, 'cdk.out');
  await synthesize(cloudAssembly);
  await runStryker(cloudAssembly);
  const problems = unexpected(
    await readJson<Report>(join(BUILD, 'mutants.json')),
    await readJson<Equivalent[]>(join(FOLDER, 'equivalent-mutants.json')),
  );
  if (problems.length > 0) throw new CommandError(problems.join('\n'));
});

async function runStryker(cloudAssembly: string): Promise<void> {
  const stryker = join(FOLDER, 'node_modules/@stryker-mutator/core/bin/stryker.js');
  const options = ['run', join(FOLDER, 'stryker.config.json'), ...process.argv.slice(2)];
  const child = spawn(process.execPath, [stryker, ...options], {
    cwd: PROJECT,
    env: { ...process.env, [CLOUD_ASSEMBLY]: cloudAssembly },
    stdio: 'inherit',
  });
  const [exitCode] = await once(child, 'exit');
  if (exitCode !== 0) throw new CommandError('Stryker failed.');
}

async function readJson<T>(file: string): Promise<T> {
  return JSON.parse(await readFile(file, 'utf8'));
}
