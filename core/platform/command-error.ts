/** Something that the person at the terminal can mend: the message says what and how, a stack trace would not. */
export class CommandError extends Error {}

/** Runs a command; a `CommandError` ends it with its message alone and exit code 1. */
export async function runCommand(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    process.stderr.write(`${error.message}\n`);
    // At once: what was started before the error would keep the process alive.
    process.exit(1);
  }
}
