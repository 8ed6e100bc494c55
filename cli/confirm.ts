import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import { CommandError } from '../core/platform/command-error.ts';

/** Where a question is asked and answered. */
export interface Terminal {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable;
}

/**
 * Asks the person at the terminal. Only `y` or `yes` is a yes: no answer is none.
 *
 * @param signal withdraws the question.
 * @throws CommandError when there is no terminal, and so nobody who could answer.
 */
export async function confirm(
  question: string,
  signal: AbortSignal,
  { stdin, stdout }: Terminal = process,
): Promise<boolean> {
  if (!stdin.isTTY) {
    throw new CommandError('Nothing was removed. Add --yes to remove it without being asked.');
  }
  const prompt = createInterface({ input: stdin, output: stdout });
  // Ctrl-C and the end of the input close it.
  const closed = new AbortController();
  prompt.once('close', () => closed.abort());
  try {
    const answer = await prompt.question(`${question} [y/N] `, {
      signal: AbortSignal.any([signal, closed.signal]),
    });
    return /^y(?:es)?$/i.test(answer.trim());
  } catch {
    return false;
  } finally {
    prompt.close();
  }
}
