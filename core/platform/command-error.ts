/** The exit codes of commands: 0 is success. */
export const EXIT_CODES = { problems: 1, usage: 2, conflict: 3, aws: 4 } as const;

/** An error that the person at the terminal can fix. The message says what and how; a stack trace would not help. */
export class CommandError extends Error {
  readonly exitCode: number = EXIT_CODES.problems;
}

/** The command cannot run with these options, or here. */
export class UsageError extends CommandError {
  override readonly exitCode = EXIT_CODES.usage;
}

/** Somebody else changed what the command was about to change. */
export class ConflictError extends CommandError {
  override readonly exitCode = EXIT_CODES.conflict;
}

/** Runs a command. A `CommandError` ends the process with its exit code and prints only its message. */
export async function runCommand(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    process.stderr.write(`${error.message}\n`);
    // Immediately: servers or timers that were started before the error would keep the process alive.
    process.exit(error.exitCode);
  }
}
