import { isClosedPipe, unwritableOutput, writeWhole } from './unwritable-output.ts';
import { EXIT_CODES, UserError } from './user-error.ts';

/**
 * Runs a program. A `UserError` ends it with an exit code, and prints only its message. So does
 * output that cannot be written, unless its reader has gone.
 */
export async function runProgram(run: () => Promise<void>): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) {
    writeWhole(stream);
    stream.once('error', (error) =>
      isClosedPipe(error) ? process.exit() : fail(unwritableOutput(error)),
    );
  }
  await run().catch(fail);
}

function fail(error: unknown): void {
  if (!(error instanceof UserError)) throw error;
  process.stderr.write(`${error.message}\n`);
  // Servers or timers that were started before the error would keep the process alive.
  process.exit(EXIT_CODES[error.code]);
}
