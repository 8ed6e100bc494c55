import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';

/** The working directory of all commands: the root of the project. */
export const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

/** The result of a process. */
export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The file of a program: `customer-data`, or one of those about the local server. */
export const fileOf = (program: string) =>
  program === 'customer-data'
    ? 'packages/command-line/customer-data.ts'
    : `packages/local/commands/${program}.ts`;

/** Runs a program and waits until it exits. */
export const run = (program: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}) =>
  runFile(fileOf(program), args, env);

/** Runs a file of the project, or of a copy of it, and waits until it exits. */
export function runFile(
  file: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  cwd = PROJECT,
): Promise<Finished> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [file, ...args],
      { cwd, env: { ...process.env, ...env } },
      (_error, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}

/** Runs a shell command and returns what it printed. */
export function runInShell(line: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile('sh', ['-c', line], { cwd: PROJECT }, (error, stdout) =>
      error ? reject(error) : resolve(stdout),
    );
  });
}

/** A running process. It is killed at the end of its block unless it was stopped before. */
export interface Running extends Disposable {
  /** Its output up to and including the expected string. */
  readonly printed: string;
  /** All that it has printed until now. */
  readonly output: () => string;
  /** Sends a signal, waits until the process exits, and returns its exit code. */
  readonly stop: (signal: NodeJS.Signals) => Promise<number | null>;
}

/**
 * Starts a process and waits until it prints an expected string.
 *
 * @throws Error with its output if it exits before that.
 */
export async function startProcess(
  file: string,
  args: readonly string[],
  { expected, env = {} }: { readonly expected: string; readonly env?: NodeJS.ProcessEnv },
): Promise<Running> {
  const child = spawn(file, args, { cwd: PROJECT, env: { ...process.env, ...env } });
  const kill = () => void child.kill('SIGKILL');
  // For tests that time out.
  process.once('exit', kill);
  const exit = once(child, 'exit');
  let printed = '';
  child.stderr.resume();
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    printed += chunk;
    if (printed.includes(expected)) {
      let output = printed;
      child.stdout.on('data', (more) => {
        output += more;
      });
      return {
        printed,
        output: () => output,
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

/** Starts the local server on a free port and waits for the end of its banner. */
export function startServer(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Running> {
  return startProcess(process.execPath, ['packages/local/commands/start.ts', ...args], {
    expected: '"source":"profile"}\'',
    // Without npm's variable, so that the server does not watch for the end of npm's shell.
    env: { PORT: '0', npm_lifecycle_event: undefined, ...env },
  });
}

/**
 * The option that makes `npm start` run the shared cloud assembly, because synthesizing takes
 * seconds.
 */
export function sharedAssembly(): readonly string[] {
  return ['--app', inject('cloudAssembly')];
}
