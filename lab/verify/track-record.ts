import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { UserError } from '../../packages/deployment/program/user-error.ts';
import { newFolder } from '../../test/support/new-folder.ts';
import { copyProject, type Mistake, withMistake } from '../project-copy.ts';

const TRACK_RECORD = new URL('track-record.json', import.meta.url);

/** A mistake, and the run that shows it. */
interface KnownMistake extends Mistake {
  readonly id: string;
  readonly run: string;
  readonly why: string;
}

/** Runs that may look for one mistake: what a kill meets depends on the moment, too. */
const ATTEMPTS = 3;

const run = promisify(execFile);

/**
 * Puts each mistake into a copy of the project, and runs the run that must show it.
 *
 * @throws UserError if the code has changed, so that a patch does not apply, or if the judge
 *   accepts a mistake.
 */
export async function runTrackRecord(seed: string, print: (line: string) => void): Promise<void> {
  const mistakes: KnownMistake[] = JSON.parse(await readFile(TRACK_RECORD, 'utf8'));
  await using copy = await newFolder();
  await copyProject(copy.path);
  const failures: string[] = [];
  for (const mistake of mistakes) {
    let said = '';
    let used = seed;
    const isFound = () => said.includes('NOT linearizable');
    for (let attempt = 1; attempt <= ATTEMPTS && !isFound(); attempt += 1) {
      used = attempt === 1 ? seed : `${seed}.${attempt}`;
      said = await withMistake(copy.path, mistake, () => verifyCopy(copy.path, mistake.run, used));
    }
    print(`${isFound() ? 'NOT linearizable' : 'MISSED          '}  ${mistake.id}: ${mistake.why}`);
    print(`                  npm run verify -- --runs ${mistake.run} --seed ${used}`);
    if (!isFound()) failures.push(`${mistake.id} was not found. ${said}`);
  }
  print(`${mistakes.length - failures.length} of ${mistakes.length} mistakes were found`);
  if (failures.length > 0) throw new UserError(failures.join('\n'));
}

/** Returns what the copy's own runs print. */
async function verifyCopy(folder: string, name: string, seed: string): Promise<string> {
  const args = ['lab/verify/main.ts', '--runs', name, '--seed', seed];
  const { stdout, stderr } = await run(process.execPath, args, { cwd: folder }).catch(
    (error) => error,
  );
  return `${stdout}${stderr}`;
}
