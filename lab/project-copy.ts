import { execFile } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { UserError } from '../packages/deployment/program/user-error.ts';
import { linkPackages } from '../test/support/documents/project-copy.ts';

const PROJECT = fileURLToPath(new URL('..', import.meta.url));

/** A mistake, as a patch of a file. */
export interface Mistake {
  /** The path of the file from the root of the project. */
  readonly file: string;
  /** A text that is in the file once. */
  readonly old: string;
  readonly new: string;
}

/** Copies the files of the project. Its packages of npm are links, and its own are the copy's. */
export async function copyProject(folder: string): Promise<void> {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const { stdout } = await promisify(execFile)('git', args, { cwd: PROJECT, maxBuffer: 2 ** 26 });
  const files = stdout.split('\0').filter((file) => file && !/^docs\/.*\//.test(file));
  for (const file of files) {
    await mkdir(join(folder, dirname(file)), { recursive: true });
    await cp(join(PROJECT, file), join(folder, file));
  }
  await linkPackages(folder);
  for (const own of globSync('{lab,packages}/*/node_modules', { cwd: PROJECT })) {
    // A package that was renamed leaves its packages of npm behind.
    if (!existsSync(join(folder, dirname(own)))) continue;
    await symlink(join(PROJECT, own), join(folder, own));
  }
}

/**
 * Runs a function while a file of a copy has a mistake.
 *
 * @throws UserError if the code has changed, so that the patch does not apply.
 */
export async function withMistake<T>(
  folder: string,
  mistake: Mistake,
  run: () => Promise<T>,
): Promise<T> {
  const file = join(folder, mistake.file);
  const text = await readFile(file, 'utf8');
  if (text.split(mistake.old).length !== 2) {
    throw new UserError(`${mistake.file} has changed. Adapt the patch of ${mistake.old}`);
  }
  await writeFile(
    file,
    text.replace(mistake.old, () => mistake.new),
  );
  try {
    return await run();
  } finally {
    await writeFile(file, text);
  }
}
