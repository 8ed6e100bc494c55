import { execFile } from 'node:child_process';
import { copyFile, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { UserError } from '../packages/deployment/program/user-error.ts';

const run = promisify(execFile);

const REQUIREMENTS = fileURLToPath(new URL('requirements.txt', import.meta.url));
const ENVIRONMENT = fileURLToPath(new URL('../.venv', import.meta.url));
const INSTALLED = join(ENVIRONMENT, 'requirements.txt');

/**
 * Finds a program of `lab/requirements.txt`. The first time, and whenever the file has changed, all
 * of them are installed into the project's own virtual environment.
 *
 * @returns the path of the program.
 * @throws UserError if Python is missing or too old, or if the programs cannot be installed.
 */
export async function pythonProgram(name: string): Promise<string> {
  const wanted = await readFile(REQUIREMENTS, 'utf8');
  const installed = await readFile(INSTALLED, 'utf8').catch(() => undefined);
  if (installed !== wanted) {
    const isNewEnough = 'import sys; sys.exit(sys.version_info < (3, 10))';
    await run('python3', ['-c', isNewEnough]).catch(() => {
      throw new UserError(`${name} needs Python 3.10 or newer (https://www.python.org).`);
    });
    await install();
  }
  return join(ENVIRONMENT, 'bin', name);
}

async function install(): Promise<void> {
  await rm(ENVIRONMENT, { recursive: true, force: true });
  try {
    await run('python3', ['-m', 'venv', ENVIRONMENT]);
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
    const exactly = ['--require-hashes', '--requirement', REQUIREMENTS];
    await run(join(ENVIRONMENT, 'bin', 'python'), [...pip, ...exactly]);
  } catch (error) {
    const { stderr, stdout } = error as { stderr: string; stdout: string };
    throw new UserError(
      `The programs of lab/requirements.txt cannot be installed.\n${stderr || stdout}`,
    );
  }
  // Last: this file marks a complete installation.
  await copyFile(REQUIREMENTS, INSTALLED);
}
