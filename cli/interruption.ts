/** The wish of the person at the terminal to end a command. */
export interface Interruption extends Disposable {
  readonly signal: AbortSignal;
}

/**
 * Listens for SIGINT and SIGTERM until the end of the block that declares it: `using interrupted = interruption()`. The first
 * one aborts the signal. The second one ends the process.
 */
export function interruption(): Interruption {
  const interrupted = new AbortController();
  const abort = () => interrupted.abort();
  process.once('SIGINT', abort).once('SIGTERM', abort);
  return {
    signal: interrupted.signal,
    [Symbol.dispose]: () => void process.off('SIGINT', abort).off('SIGTERM', abort),
  };
}
