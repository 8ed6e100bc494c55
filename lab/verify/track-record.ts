import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { UserError } from '../../packages/deployment/program/user-error.ts';
import { newFolder } from '../../test/support/new-folder.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const TRACK_RECORD = new URL('track-record.json', import.meta.url);

/** A mistake, as a patch of a file, and the run that shows it. */
interface Mistake {
  readonly id: string;
  readonly file: string;
  readonly old: string;
  readonly new: string;
  readonly run: string;
  readonly why: string;
}

const run = promisify(execFile);

/**
 * Puts each mistake into a copy of the project, and runs the run that must show it.
 *
 * @throws UserError if the code has changed, so that a patch does not apply, or if the judge
 *   accepts a mistake.
 */
export async function runTrackRecord(seed: string, print: (line: string) => void): Promise<void> {
  const mistakes: Mistake[] = JSON.parse(await readFile(TRACK_RECORD, 'utf8'));
  await using copy = await newFolder();
  await copyProject(copy.path);
  const failures: string[] = [];
  const texts = await Promise.all(
    mistakes.map(({ file }) => readFile(join(copy.path, file), 'utf8')),
  );
  const unclear = mistakes.filter(({ old }, index) => texts[index]?.split(old).length !== 2);
  if (unclear.length > 0) {
    const ids = unclear.map(({ id, file }) => `${id} (${file})`).join(', ');
    throw new UserError(`The code has changed: adapt in track-record.json the patches ${ids}.`);
  }
  for (const [index, mistake] of mistakes.entries()) {
    const [file, text] = [join(copy.path, mistake.file), texts[index] as string];
    await writeFile(
      file,
      text.replace(mistake.old, () => mistake.new),
    );
    const said = await verifyCopy(copy.path, mistake.run, seed);
    await writeFile(file, text);
    const isFound = said.includes('NOT linearizable');
    print(`${isFound ? 'NOT linearizable' : 'MISSED          '}  ${mistake.id}: ${mistake.why}`);
    print(`                  npm run verify -- --runs ${mistake.run} --seed ${seed}`);
    if (!isFound) failures.push(`${mistake.id} was not found. ${said}`);
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

/** Copies the files of the project. Its packages of npm are links, and its own are the copy's. */
async function copyProject(folder: string): Promise<void> {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const { stdout } = await run('git', args, { cwd: PROJECT, maxBuffer: 2 ** 26 });
  const files = stdout.split('\0').filter((file) => file && !file.startsWith('docs/'));
  for (const file of files) {
    await mkdir(join(folder, dirname(file)), { recursive: true });
    await cp(join(PROJECT, file), join(folder, file));
  }
  const packages = join(folder, 'node_modules');
  await mkdir(packages);
  for (const name of await readdir(join(PROJECT, 'node_modules'))) {
    const original = join(PROJECT, 'node_modules', name);
    const isOwn = name.startsWith('customer-data-api');
    await symlink(isOwn ? await readlink(original) : original, join(packages, name));
  }
}
