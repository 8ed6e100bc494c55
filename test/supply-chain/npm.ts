import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Runs npm in the project, and returns what it prints, whatever its exit code. */
export function npm(...args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const options = { cwd: PROJECT, maxBuffer: MAX_OUTPUT_BYTES };
    execFile('npm', [...args], options, (_error, stdout) => resolve(stdout));
  });
}
