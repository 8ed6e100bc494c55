import { execFile, execFileSync } from 'node:child_process';
import { type Finished, PROJECT } from 'customer-data-api/testing/processes';

/** Gives a program a terminal of its own, and ends with its exit code. */
const SPAWN = 'import os,pty,sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))';

/**
 * Runs `customer-data` on a pseudo-terminal, which shows both of its outputs: `stdout` of the
 * result has both.
 *
 * @param typed what somebody types.
 * @param environment more than the variables that every terminal has.
 * @param question what the terminal shows each time before somebody types; default: nothing.
 */
export function runOnTerminal(
  args: readonly string[],
  typed = '',
  environment: NodeJS.ProcessEnv = {},
  question = '',
): Promise<Finished> {
  const line = 'stty cols 80 rows 24; exec node packages/command-line/customer-data.ts "$@"';
  return new Promise((resolve) => {
    // A person's terminal shows colours. Continuous integration and NO_COLOR say in the environment
    // that theirs does not.
    const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
    const child = execFile(
      'python3',
      ['-c', SPAWN, 'sh', '-c', line, 'sh', ...args],
      {
        cwd: PROJECT,
        env: { PATH, HOME, NODE_COMPILE_CACHE, TERM: 'xterm-256color', ...environment },
      },
      (_error, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    );
    let [shown, answers] = ['', 0];
    const typeAfter = (more: string) => {
      shown += more;
      const questions = shown.split(question).length - 1;
      for (; answers < questions; answers++) child.stdin?.write(typed);
    };
    if (question) child.stdout?.on('data', typeAfter);
    else child.stdin?.write(typed);
  });
}

/**
 * True if tests on a terminal are left out, because there is no Python that could make one.
 * Continuous integration must have it.
 */
export const LACKS_TERMINAL = !hasPython();

function hasPython(): boolean {
  try {
    execFileSync('python3', ['-c', 'import pty'], { stdio: 'ignore' });
    return true;
  } catch (cause) {
    if (!process.env.CI) return false;
    throw new Error('Tests on a terminal need Python 3, and with CI=true none is left out.', {
      cause,
    });
  }
}
