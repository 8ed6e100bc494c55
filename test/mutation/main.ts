import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { installPackages } from '../../bench/packages.ts';
import { CommandError, runCommand } from '../../core/platform/command-error.ts';
import { synthesize } from '../../local/synthesize.ts';
import { CLOUD_ASSEMBLY, MUTATED_FILES } from './environment.ts';
import { type Equivalent, type Report, unexpected } from './survivors.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDER = join(PROJECT, 'test/mutation');

const command = new Command('npm run mutation --')
  .description(
    'Puts mistakes into core/ and functions/, one at a time, and fails if no test notices one that is not listed as equivalent',
  )
  .option('--mutate <files>', 'only these files, separated by commas')
  .option('--concurrency <n>', 'how many mutants to test at a time')
  .action((options: Options) => runCommand(() => mutate(options)));

await command.parseAsync();

/** The options of Stryker that this command passes on. */
type Options = Readonly<Partial<Record<'mutate' | 'concurrency', string>>>;

async function mutate(options: Options): Promise<void> {
  await installPackages(FOLDER);
  const cloudAssembly = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
  try {
    await synthesize(cloudAssembly);
    await runStryker(options, cloudAssembly);
  } finally {
    await rm(cloudAssembly, { recursive: true });
  }
  const problems = unexpected(
    await readJson<Report>(join(PROJECT, 'build/mutation/mutants.json')),
    await readJson<Equivalent[]>(join(FOLDER, 'equivalent-mutants.json')),
  );
  if (problems.length > 0) throw new CommandError(problems.join('\n'));
}

async function runStryker(options: Options, cloudAssembly: string): Promise<void> {
  const stryker = join(FOLDER, 'node_modules/@stryker-mutator/core/bin/stryker.js');
  const given = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const args = [stryker, 'run', join(FOLDER, 'stryker.config.json'), ...given];
  const child = spawn(process.execPath, args, {
    cwd: PROJECT,
    env: {
      ...process.env,
      [MUTATED_FILES]: options.mutate ?? '',
      [CLOUD_ASSEMBLY]: cloudAssembly,
    },
    stdio: 'inherit',
  });
  const [exitCode] = await once(child, 'exit');
  if (exitCode !== 0) throw new CommandError('Stryker failed.');
}

async function readJson<T>(file: string): Promise<T> {
  return JSON.parse(await readFile(file, 'utf8'));
}
