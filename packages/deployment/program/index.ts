export {
  addDeploymentOptions,
  addForceOption,
  type DeploymentOptions,
  type ForceOption,
} from '../options.ts';
export { durationOf } from '../terminal/duration.ts';
export { printable, printableLines } from '../terminal/printable.ts';
export { progressBar, whileWaiting } from '../terminal/progress.ts';
export { tableRows } from '../terminal/table.ts';
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
  rendered,
  type Terminal,
  writableOf,
} from '../terminal/terminal.ts';
export { printOnce, withOutput } from '../terminal/unwritable-output.ts';
export { columnsOf, wrap, wrapped } from '../terminal/wrap-text.ts';
export { readTextFile, whyUnreadable, whyUnwritable } from './file-error.ts';
export { interruption } from './interruption.ts';
export { runProgram } from './run-program.ts';
export { rememberTarget, suggested } from './suggestion.ts';
export { type ErrorCode, EXIT_CODES, UsageError, UserError } from './user-error.ts';
