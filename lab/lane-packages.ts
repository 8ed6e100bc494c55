import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Installs the packages that only a lane needs. If those of its lockfile are there, they stay:
 * another lane may be using them.
 */
export function installPackages(lane: string): void {
  const folder = fileURLToPath(new URL(lane, import.meta.url));
  const installed = changeOf(`${folder}/node_modules/.package-lock.json`);
  if (installed > changeOf(`${folder}/package-lock.json`)) return;
  // On Windows, npm is a batch file.
  const npm = { stdio: 'inherit', shell: process.platform === 'win32' } as const;
  const { status } = spawnSync(
    'npm',
    ['ci', '--silent', '--prefer-offline', '--prefix', folder],
    npm,
  );
  process.exitCode ||= status ?? 1;
}

/** The time of the last change of a file, 0 if there is none. */
function changeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
