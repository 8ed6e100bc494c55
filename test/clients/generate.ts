import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { CommandError } from '../../core/platform/command-error.ts';
import { JVM_OPTIONS } from './java-program.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const PROGRAM = fileURLToPath(new URL('Generate.java', import.meta.url));

/**
 * Runs the generator in one process.
 *
 * @param jar the path of the generator.
 * @param runs its arguments, for each run.
 * @throws CommandError with what the generator printed, when it fails.
 */
export async function generate(jar: string, runs: readonly (readonly string[])[]): Promise<void> {
  for (const args of runs) {
    // A file of an earlier document would stay.
    const folder = resolve(PROJECT, args[args.indexOf('-o') + 1] ?? '');
    await rm(folder, { recursive: true, force: true });
  }
  const java = spawn('java', [...JVM_OPTIONS, '-cp', jar, PROGRAM], { cwd: PROJECT });
  java.stdin.end(runs.map((args) => `${args.join('\t')}\n`).join(''));
  const [printed, complaints, [exitCode]] = await Promise.all([
    text(java.stdout),
    text(java.stderr),
    once(java, 'exit'),
  ]);
  if (exitCode !== 0) throw new CommandError(`The generator failed.\n${printed}${complaints}`);
}
