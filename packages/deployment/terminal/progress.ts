import { printable } from './printable.ts';
import { type Terminal, writableOf } from './terminal.ts';

/** Shows how far some work is, until it is disposed of. */
interface ProgressBar extends Disposable {
  /** @param done how much of the work is done. */
  readonly show: (done: number | string) => void;
}

/** The time between two drawings, in milliseconds. */
const INTERVAL_MS = 100;

/**
 * Shows the progress of some work in one line, below what is printed. Shows nothing if the standard
 * error is not a terminal. The line is removed at the end of the block that declares it: `using bar
 * = progressBar(terminal, 'Searched')`. Print only before and after that block.
 *
 * @param isWanted false where a list on the terminal shows its own progress.
 */
export function progressBar(
  { stderr }: Pick<Terminal, 'stderr'>,
  label: string,
  isWanted = true,
): ProgressBar {
  if (!stderr.isTTY || !isWanted) return { show: () => {}, [Symbol.dispose]: () => {} };
  const stream = writableOf(stderr);
  let drawn: number | undefined;
  return {
    show: (done) => {
      if (drawn !== undefined && performance.now() - drawn < INTERVAL_MS) return;
      drawn = performance.now();
      // A longer text would go on in the next line, where it could not be drawn again.
      const text = printable(`${label}: ${done}`).slice(0, (stderr.columns ?? 80) - 1);
      stream.write(`\r\x1b[K${text}`);
    },
    [Symbol.dispose]: () => {
      if (drawn !== undefined) stream.write('\r\x1b[K');
    },
  };
}

/** Does work of unknown length, and shows how long it has taken so far. */
export async function whileWaiting<T>(
  terminal: Pick<Terminal, 'stderr'>,
  label: string,
  work: () => Promise<T>,
): Promise<T> {
  using bar = progressBar(terminal, label);
  const start = performance.now();
  const show = () => bar.show(`${Math.round((performance.now() - start) / 1000)} s`);
  show();
  const timer = setInterval(show, 1000);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
