/** The codes by which programs tell errors apart. A code never changes its meaning. */
export type ErrorCode =
  | 'accessDenied'
  | 'awsCallFailed'
  | 'clientExists'
  | 'configurationConflict'
  | 'conflict'
  | 'different'
  | 'failed'
  | 'fileExists'
  | 'incomplete'
  | 'interrupted'
  | 'invalidConfiguration'
  | 'localServerNotRunning'
  | 'moreErrors'
  | 'noCredentials'
  | 'noSuchClient'
  | 'noSuchKey'
  | 'noSuchStack'
  | 'noSuchVersion'
  | 'noTerminal'
  | 'notConfirmed'
  | 'nothingFound'
  | 'olderCommands'
  | 'problemsFound'
  | 'settings'
  | 'unchecked'
  | 'unreachable'
  | 'unreadableFile'
  | 'unreadableKeys'
  | 'unstorableValue'
  | 'unwritableFile'
  | 'usage'
  | 'versionNotRecorded'
  | 'versionWithoutFields';

/** An error that the user can fix. It tells what is wrong and what to do, without a stack trace. */
export class UserError extends Error {
  readonly code: ErrorCode;
  /** What a program can read of the error besides its code. */
  readonly data: Readonly<Record<string, unknown>>;

  constructor(message: string, code: ErrorCode = 'failed', data: UserError['data'] = {}) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** The program cannot run with these options, or here. */
export class UsageError extends UserError {
  constructor(message: string, code: ErrorCode = 'usage') {
    super(message, code);
  }
}
