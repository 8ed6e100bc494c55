/**
 * The codes by which programs tell errors apart, with the exit code of each: 1 look at the output, 2 correct the command, 3 look
 * at what somebody else did, 4 ask for access or wait. A code never changes its meaning.
 */
export const ERROR_CODES = {
  accessDenied: 4,
  awsCallFailed: 1,
  clientExists: 3,
  configurationConflict: 3,
  conflict: 3,
  different: 1,
  failed: 1,
  fileExists: 1,
  incomplete: 1,
  interrupted: 1,
  invalidConfiguration: 1,
  localServerNotRunning: 4,
  moreErrors: 1,
  noCredentials: 4,
  noSuchClient: 1,
  noSuchKey: 1,
  noSuchStack: 2,
  noSuchVersion: 1,
  noTerminal: 2,
  notConfirmed: 1,
  nothingFound: 1,
  otherClient: 2,
  problemsFound: 1,
  settings: 2,
  unchecked: 4,
  unreachable: 4,
  unreadableFile: 2,
  unreadableKeys: 1,
  unstorableValue: 1,
  unwritableFile: 2,
  usage: 2,
  versionNotRecorded: 1,
  versionWithoutFields: 1,
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

/** An error that the person at the terminal can fix. The message says what and how; a stack trace would not help. */
export class CommandError extends Error {
  readonly code: ErrorCode;

  constructor(message: string, code: ErrorCode = 'failed') {
    super(message);
    this.code = code;
  }

  get exitCode(): number {
    return ERROR_CODES[this.code];
  }
}

/** The command cannot run with these options, or here. */
export class UsageError extends CommandError {
  constructor(message: string, code: ErrorCode = 'usage') {
    super(message, code);
  }
}

/** Somebody else changed what the command was about to change. */
export class ConflictError extends CommandError {
  constructor(message: string, code: ErrorCode = 'conflict') {
    super(message, code);
  }
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
