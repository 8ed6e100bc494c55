import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Samples, samplesInTurn } from './rounds.ts';

const PROJECT = fileURLToPath(new URL('../../..', import.meta.url));

/** The program without which no command can be faster. */
export const EMPTY_PROGRAM = 'an empty Node program';

const PROGRAMS: Readonly<Record<string, readonly [file: string, ...args: string[]]>> = {
  [EMPTY_PROGRAM]: [process.execPath, '--eval', ''],
  '--help': ['./customer-data', '--help'],
  'config check': ['./customer-data', 'config', 'check', 'examples/demo.yaml'],
};

/** How long a command of operators takes that calls no AWS service. */
export interface CommandFigures {
  readonly program: string;
  /** From the start of the process to its end. */
  readonly milliseconds: Samples;
}

/** Measures commands and an empty Node program in turn. */
export async function commandTimes(rounds: number): Promise<readonly CommandFigures[]> {
  const programs = Object.entries(PROGRAMS);
  const run = promisify(execFile);
  // The first run fills the cache of compiled code.
  for (const [, [file, ...args]] of programs) await run(file, args, { cwd: PROJECT });
  const samplesOf = await samplesInTurn(programs, rounds, async ([, [file, ...args]]) => {
    const start = performance.now();
    await run(file, args, { cwd: PROJECT });
    return performance.now() - start;
  });
  return programs.map((program) => ({ program: program[0], milliseconds: samplesOf(program) }));
}
