import type { Deployment } from '../deployment.ts';
import { accountOf, isLocal } from '../outputs.ts';
import { UsageError, UserError } from '../program/user-error.ts';
import { ask } from '../terminal/question.ts';
import { type Painted, paint, type Terminal } from '../terminal/terminal.ts';
import type { WriteOptions } from './command-options.ts';

/** The question to the person at the terminal. */
export interface Question {
  /** The place where the change would be made: the question names it. */
  readonly deployment: Deployment;
  readonly question: string;
  /** The text to type, if `yes` is not enough. */
  readonly typed?: string | undefined;
  /** True if the option `--yes` has answered it. */
  readonly isAnswered?: boolean | undefined;
  /** Withdraws the question. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Asks the person at the terminal, on the standard error, unless an option has answered. No answer
 * is a no.
 *
 * @throws UsageError when there is no terminal, and so nobody who could answer.
 */
async function confirm(
  terminal: Terminal,
  { deployment, question, typed, isAnswered = false, signal }: Question,
): Promise<boolean> {
  if (isAnswered) return true;
  expectConfirmation(terminal, {});
  const expected = typed === undefined ? '[y/N]' : `Type ${typed} to confirm:`;
  const line = [place(deployment), ` ${question} ${expected} `];
  const answer = (await ask(terminal, line, { signal })).trim();
  return typed === undefined ? /^y(?:es)?$/i.test(answer) : answer === typed;
}

/**
 * Asks whether to make a change.
 *
 * @throws UserError when the answer is no.
 * @throws UsageError when there is no terminal, and so nobody who could answer.
 */
export async function confirmChange(terminal: Terminal, question: Question): Promise<void> {
  if (!(await confirm(terminal, question)))
    throw new UserError('Nothing was changed.', 'notConfirmed');
}

/**
 * Checks that somebody can answer if a command is going to ask. Call it before the work that
 * precedes the question.
 *
 * @throws UsageError when there is no terminal.
 */
export function expectConfirmation(
  { stdin }: Pick<Terminal, 'stdin'>,
  { yes, dryRun }: WriteOptions,
): void {
  if (yes || dryRun || stdin.isTTY) return;
  throw new UsageError(
    'Nothing was changed: stdin is not a terminal. Add --yes to confirm without being asked.',
    'noTerminal',
  );
}

function place({ stackName, outputs, isProduction }: Deployment): string | Painted {
  if (isLocal(outputs)) return 'Local server:';
  const name = `${stackName} in ${outputs.Region}, account ${accountOf(outputs)}`;
  return isProduction ? paint(['bold', 'red'], `PRODUCTION, ${name}:`) : `${name}:`;
}
