export {
  addExamples,
  addJsonOption,
  type ChangeOptions,
  CLIENT_ID,
  changeCommand,
  type JsonOption,
  parserOf,
  type ReadOptions,
  readClientId,
  readCommand,
} from './commands/command-options.ts';
export { confirmChange, expectConfirmation } from './commands/confirm.ts';
