import { Writable } from 'node:stream';
import { type Line, rendered, type Terminal, writableOf } from './terminal.ts';

interface QuestionOptions {
  /** True if the terminal does not show what is typed. */
  readonly isSecret?: boolean;
  /** Withdraws the question. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Asks the person at the terminal, on the standard error.
 *
 * @returns what was typed; nothing after Ctrl-C, at the end of the input, or if it is withdrawn.
 */
export async function ask(
  { stdin, stderr }: Omit<Terminal, 'stdout'>,
  line: Line,
  { isSecret = false, signal }: QuestionOptions = {},
): Promise<string> {
  // Loaded here: most commands ask nothing.
  const { createInterface } = await import('node:readline/promises');
  const screen = writableOf(stderr);
  const prompt = createInterface({
    input: stdin,
    ...(isSecret ? { output: NOWHERE, terminal: true, historySize: 0 } : { output: screen }),
  });
  // Ctrl-C and the end of the input close it.
  const closed = new AbortController();
  prompt.once('close', () => closed.abort());
  try {
    const words = rendered(line, stderr);
    if (isSecret) screen.write(words);
    return await prompt.question(words, {
      signal: AbortSignal.any([closed.signal, ...(signal ? [signal] : [])]),
    });
  } catch {
    return '';
  } finally {
    prompt.close();
    // The line feed that was typed was not shown either.
    if (isSecret) screen.write('\n');
  }
}

const NOWHERE = new Writable({ write: (_chunk, _encoding, done) => done() });

let current: Omit<Terminal, 'stdout'> = process;

/** Remembers the terminal of the running command, the only one of its process. */
export function rememberTerminal(terminal: Omit<Terminal, 'stdout'>): void {
  current = terminal;
}

/** The terminal of the running command. */
export function currentTerminal(): Omit<Terminal, 'stdout'> {
  return current;
}
