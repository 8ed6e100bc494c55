export {
  addForceOption,
  type DeploymentOptions,
  type ForceOption,
} from './options.ts';
export {
  readTextFile,
  whyUnreadable,
  whyUnwritable,
} from './program/file-error.ts';
export { interruption } from './program/interruption.ts';
export { runProgram } from './program/run-program.ts';
export {
  rememberTarget,
  shellWords,
  suggested,
  suggesting,
} from './program/suggestion.ts';
export { printOnce, withOutput } from './program/unwritable-output.ts';
export {
  type ErrorCode,
  EXIT_CODES,
  UsageError,
  UserError,
} from './program/user-error.ts';
export { durationOf } from './terminal/duration.ts';
export { columnsOf, tableRows, wrap, wrapped } from './terminal/layout.ts';
export { printable, printableLines } from './terminal/printable.ts';
export { progressBar, whileWaiting } from './terminal/progress.ts';
export { rememberTerminal } from './terminal/question.ts';
export {
  type Line,
  noteTo,
  type Output,
  type Painted,
  paint,
  printAll,
  printByteOrderMark,
  printLine,
  printText,
  printTo,
  type Terminal,
} from './terminal/terminal.ts';
