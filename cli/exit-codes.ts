import { type ErrorCode, UserError } from '../core/user-error.ts';

/**
 * The exit code of each error: 1 look at the output, 2 correct the command, 3 look at what somebody
 * else did, 4 ask for access or wait.
 */
export const EXIT_CODES: Readonly<Record<ErrorCode, number>> = {
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
  olderCommands: 2,
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
};

/**
 * Runs a program. A `UserError` ends the process with its exit code and prints only its message.
 */
export async function runProgram(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    process.stderr.write(`${error.message}\n`);
    // Immediately: servers or timers that were started before the error would keep the process
    // alive.
    process.exit(EXIT_CODES[error.code]);
  }
}
