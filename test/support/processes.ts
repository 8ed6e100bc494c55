import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';

/** The folder in which commands run, as a person runs them. */
export const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

/** What a process left behind. */
export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a script of `bin` to its end. */
export function run(
  script: string,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<Finished> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [`bin/${script}.ts`, ...args],
      { cwd: PROJECT, env: { ...process.env, ...env } },
      (_error, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}

/** Runs a line of a shell to its end, and gives what it printed. */
export function runInShell(line: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile('sh', ['-c', line], { cwd: PROJECT }, (error, stdout) =>
      error ? reject(error) : resolve(stdout),
    );
  });
}

/** A process that runs until it is stopped, or killed at the end of the block that holds it. */
export interface Running extends Disposable {
  /** What it had printed when the expected text came. */
  readonly printed: string;
  /** Sends a signal and waits for the end; the exit code. */
  readonly stop: (signal: NodeJS.Signals) => Promise<number | null>;
}

/**
 * Starts a process and waits until it has printed a text.
 *
 * @throws Error with what it printed, when it ends before.
 */
export async function startProcess(
  file: string,
  args: readonly string[],
  { expected, env = {} }: { readonly expected: string; readonly env?: NodeJS.ProcessEnv },
): Promise<Running> {
  const child = spawn(file, args, { cwd: PROJECT, env: { ...process.env, ...env } });
  const kill = () => void child.kill('SIGKILL');
  // Also after a test that was given up.
  process.once('exit', kill);
  const exit = once(child, 'exit');
  let printed = '';
  child.stderr.resume();
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    printed += chunk;
    if (printed.includes(expected)) {
      child.stdout.resume();
      return {
        printed,
        [Symbol.dispose]: kill,
        stop: async (signal) => {
          child.kill(signal);
          const [code] = await exit;
          return code;
        },
      };
    }
  }
  throw new Error(`${file} ended without printing ${expected}: ${printed}`);
}

/** Starts the local server on a free port, and waits for all of its banner. */
export function startServer(args: readonly string[]): Promise<Running> {
  return startProcess(process.execPath, ['bin/start.ts', ...args], {
    expected: '"source":"profile"}\'',
    // So that it does not believe that npm started it.
    env: { PORT: '0', npm_lifecycle_event: undefined },
  });
}

/** The option with which `npm start` runs the cloud assembly that all tests share: synthesizing takes seconds. */
export function sharedAssembly(): readonly string[] {
  return ['--app', inject('cloudAssembly')];
}
