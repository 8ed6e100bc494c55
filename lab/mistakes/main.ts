/** `npm run mistakes`: makes mistakes in the commands, one by one, which tests must find. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { Command } from 'commander';
import { runProgram } from '../../packages/deployment/program/run-program.ts';
import { UserError } from '../../packages/deployment/program/user-error.ts';
import { synthesize } from '../../packages/local/synthesize.ts';
import { newFolder } from '../../test/support/new-folder.ts';
import { copyProject, type Mistake, withMistake } from '../project-copy.ts';

const MISTAKES = new URL('mistakes.json', import.meta.url);
const VITEST = 'node_modules/vitest/vitest.mjs run --project unit --project integration --bail 1';

/** A mistake that would harm operators or customers. */
interface KnownMistake extends Mistake {
  /** A part of the path of the tests that find it. */
  readonly by: string;
  readonly why: string;
}

await new Command('npm run mistakes --')
  .description('Makes mistakes in a copy of the project, and lists those that no test finds')
  .option('--only <text>', 'only those in files with this text in their path', '')
  .action(({ only }: { readonly only: string }) => runProgram(() => tryMistakes(only)))
  .parseAsync();

async function tryMistakes(only: string): Promise<void> {
  const all: KnownMistake[] = JSON.parse(await readFile(MISTAKES, 'utf8'));
  const mistakes = all.filter(({ file }) => file.includes(only));
  if (mistakes.length === 0) {
    throw new UserError(`No mistake is in a file with "${only}" in its path.`);
  }
  await using copy = await newFolder();
  await copyProject(copy.path);
  // Synthesized once, while the code has no mistake.
  await using cloudAssembly = await newFolder();
  await synthesize(cloudAssembly.path);
  const fail = async (...tests: readonly string[]) => {
    const env = { ...process.env, CLOUD_ASSEMBLY: cloudAssembly.path, NO_COLOR: '1' };
    const run = promisify(execFile)(process.execPath, [...VITEST.split(' '), ...tests], {
      cwd: copy.path,
      env,
      maxBuffer: 2 ** 26,
    });
    const { stdout } = await run.catch((error) => error);
    return /^ +Tests +\d+ failed/m.test(stdout);
  };
  if (await fail(...new Set(mistakes.map(({ by }) => by)))) {
    throw new UserError('The tests fail without a mistake.');
  }
  let found = 0;
  for (const mistake of mistakes) {
    const isFound = await withMistake(copy.path, mistake, () => fail(mistake.by));
    if (isFound) found++;
    process.stdout.write(`${isFound ? 'found ' : 'MISSED'}  ${mistake.by}: ${mistake.why}\n`);
  }
  const result = `${found} of ${mistakes.length} mistakes were found`;
  if (found < mistakes.length) throw new UserError(result);
  process.stdout.write(`${result}\n`);
}
