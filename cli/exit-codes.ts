import { EXIT_CODES, UserError } from '../core/user-error.ts';

/** Runs a program. A `UserError` ends it with an exit code, and prints only its message. */
export async function runProgram(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    process.stderr.write(`${error.message}\n`);
    // Servers or timers that were started before the error would keep the process alive.
    process.exit(EXIT_CODES[error.code]);
  }
}
