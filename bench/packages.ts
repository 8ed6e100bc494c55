import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UserError } from '../core/user-error.ts';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
/** The packages in a lockfile of npm, by their path. */
interface Lockfile {
  readonly packages: Readonly<Record<string, { readonly version?: string }>>;
}

/**
 * Whether the packages of a folder are installed in the versions of its lockfile.
 *
 * @param folder by default, that of the bench.
 */
export async function arePackagesInstalled(folder = FOLDER): Promise<boolean> {
  const wanted: Lockfile = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8'));
  // npm lists here what it has installed. It writes the file last, so an interrupted installation
  // has none.
  const list = join(folder, 'node_modules/.package-lock.json');
  const text = await readFile(list, 'utf8').catch(() => undefined);
  if (text === undefined) return false;
  const installed: Lockfile = JSON.parse(text);
  return Object.entries(wanted.packages).every(
    ([path, { version }]) => path === '' || installed.packages[path]?.version === version,
  );
}

/**
 * Installs the packages of a folder unless they are up to date. `npm ci` of the project does not
 * install them: only the bench needs Express, Fastify and the like, and only the mutation tests
 * need Stryker.
 *
 * @param folder by default, that of the bench.
 * @throws UserError if npm fails. npm has printed the reason.
 */
export async function installPackages(folder = FOLDER): Promise<void> {
  if (await arePackagesInstalled(folder)) return;
  process.stderr.write(`Installing the packages of ${folder} …\n`);
  const npm = spawn('npm', ['ci', '--prefix', folder], {
    // Standard output is for the report.
    stdio: ['ignore', process.stderr, process.stderr],
    // On Windows, npm is a batch file.
    shell: process.platform === 'win32',
  });
  const [exitCode] = await once(npm, 'exit');
  if (exitCode !== 0) throw new UserError(`The packages of ${folder} could not be installed.`);
}
