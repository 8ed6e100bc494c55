import { constants } from 'node:os';
import type { Terminal } from '../terminal/terminal.ts';
import { isClosedPipe, unwritableOutput } from './unwritable-output.ts';
import { UserError } from './user-error.ts';

/** The wish of the person at the terminal to end a command. */
interface Interruption extends Disposable {
  /** Aborts with the error that ends the command. */
  readonly signal: AbortSignal;
}

const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

/**
 * Listens for signals that would end the process, until the end of the block that declares it:
 * `using interrupted = interruption()`. The first one aborts `signal`. The second one ends the
 * process.
 *
 * @param cleansUp the terminal of a command that must remove what it created: nothing else ends it,
 *   and it is aborted, too, when its output cannot be written.
 */
export function interruption(cleansUp?: Pick<Terminal, 'stdout'>): Interruption {
  const interrupted = new AbortController();
  const abort = () => interrupted.abort(new UserError('Interrupted. Run it again.', 'interrupted'));
  const onOutputError = (error: Error) =>
    isClosedPipe(error) ? abort() : interrupted.abort(unwritableOutput(error));
  const onSignal = (signal: NodeJS.Signals) => {
    if (cleansUp) process.exitCode = 128 + constants.signals[signal];
    else stopListening();
    abort();
  };
  const stopListening = () => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
    cleansUp?.stdout.off('error', onOutputError);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  cleansUp?.stdout.on('error', onOutputError);
  return { signal: interrupted.signal, [Symbol.dispose]: stopListening };
}
