/** An error that the person at the terminal can fix. The message says what and how; a stack trace would not help. */
export class CommandError extends Error {}

/** Runs a command. A `CommandError` ends the process with exit code 1 and prints only its message. */
export async function runCommand(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    process.stderr.write(`${error.message}\n`);
    // Immediately: servers or timers that were started before the error would keep the process alive.
    process.exit(1);
  }
}
