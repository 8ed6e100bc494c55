import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Samples, samplesInTurn } from './rounds.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const CUSTOMER_DATA = 'bin/customer-data.ts';

/** The program without which no command can be faster. */
export const EMPTY_PROGRAM = 'an empty Node program';

const PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  [EMPTY_PROGRAM]: ['--eval', ''],
  '--help': [CUSTOMER_DATA, '--help'],
  'config check': [CUSTOMER_DATA, 'config', 'check', 'examples/demo.yaml'],
};

/** How long a command of operators takes that calls no AWS service. */
export interface CommandFigures {
  readonly program: string;
  /** From the start of the process to its end. */
  readonly milliseconds: Samples;
}

/** Measures commands and an empty Node program in turn. */
export async function commandTimes(rounds: number): Promise<readonly CommandFigures[]> {
  const programs = Object.keys(PROGRAMS);
  const samplesOf = await samplesInTurn(programs, rounds, async (program) => {
    const start = performance.now();
    await promisify(execFile)(process.execPath, PROGRAMS[program], { cwd: PROJECT });
    return performance.now() - start;
  });
  return programs.map((program) => ({ program, milliseconds: samplesOf(program) }));
}
