import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Samples, samplesInTurn } from './rounds.ts';

const PROJECT = fileURLToPath(new URL('../../..', import.meta.url));

const PROGRAMS: Readonly<Record<string, readonly [file: string, ...args: string[]]>> = {
  'an empty Node program': [process.execPath, '--eval', ''],
  '--help': ['./customer-data', '--help'],
  'config check': ['./customer-data', 'config', 'check', 'examples/demo.yaml'],
};

/** Runs a program, and prints the CPU time of its shell and of its processes. */
const TIMED = '"$@" > /dev/null; times';

/** The time of a command of operators that calls no AWS service. */
export interface CommandFigures {
  readonly program: string;
  /** Of CPU, of all its processes. */
  readonly seconds: Samples;
}

/** Measures commands and an empty Node program in turn. */
export async function commandTimes(rounds: number): Promise<readonly CommandFigures[]> {
  const programs = Object.entries(PROGRAMS);
  const run = async (args: readonly string[]) => {
    const { stdout } = await promisify(execFile)('sh', ['-c', TIMED, 'sh', ...args], {
      cwd: PROJECT,
    });
    const [, ofProcesses = ''] = stdout.trim().split('\n');
    return [...ofProcesses.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
      (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds),
      0,
    );
  };
  // The first run fills the cache of compiled code.
  for (const [, args] of programs) await run(args);
  const samplesOf = await samplesInTurn(programs, rounds, ([, args]) => run(args));
  return programs.map((program) => ({ program: program[0], seconds: samplesOf(program) }));
}
