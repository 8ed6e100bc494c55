import { plainText, type Sentence } from 'customer-data-api/sentences';

/**
 * The codes by which programs tell errors apart, each with the exit code of a command: 1 look at
 * the output, 2 correct the command, 3 look at what somebody else did, 4 ask for access or wait. A
 * code never changes its meaning.
 */
export const EXIT_CODES = {
  accessDenied: 4,
  awsCallFailed: 1,
  clientExists: 3,
  configurationConflict: 3,
  conflict: 3,
  damagedRollout: 3,
  different: 1,
  failed: 1,
  fileExists: 1,
  historyBehind: 4,
  incomplete: 1,
  interrupted: 1,
  lastAppId: 2,
  invalidConfiguration: 1,
  localServerNotRunning: 4,
  moreErrors: 1,
  inputsExchanged: 1,
  noCredentials: 4,
  noRollout: 1,
  noSuchClient: 1,
  noSuchAppId: 1,
  noSuchStack: 2,
  noSuchVersion: 1,
  noTerminal: 2,
  notUndoable: 1,
  notConfirmed: 1,
  olderCommands: 2,
  problemsFound: 1,
  rolloutRunning: 3,
  settings: 2,
  unchecked: 4,
  unreachable: 4,
  unreadableFile: 2,
  unstorableValue: 1,
  unwritableFile: 2,
  unwritableOutput: 1,
  usage: 2,
  usedIds: 1,
  versionNotRecorded: 1,
  versionWithoutFields: 1,
} as const;

export type ErrorCode = keyof typeof EXIT_CODES;

/** Text of an error, or its lines. A line may end in a command that helps. */
export type Message = string | readonly Sentence[];

/** An error that the user can fix. It tells what is wrong and what to do, without a stack trace. */
export class UserError extends Error {
  readonly code: ErrorCode;
  /** The message as a person gets it: commands and values in it are apart. */
  readonly lines: readonly Sentence[];
  /** Data of the error for programs, besides its code. */
  readonly data: Readonly<Record<string, unknown>>;

  constructor(message: Message, code: ErrorCode = 'failed', data: UserError['data'] = {}) {
    const lines = typeof message === 'string' ? message.split('\n') : message;
    super(lines.map(plainText).join('\n'));
    this.code = code;
    this.lines = lines.filter((line) => line.length > 0);
    this.data = data;
  }
}

/** The program cannot run with these options, or here. */
export class UsageError extends UserError {
  constructor(message: Message, code: ErrorCode = 'usage') {
    super(message, code);
  }
}
