import { printable } from '../../core/text.ts';
import { type Terminal, writableOf } from './terminal.ts';

/** Shows how far some work is, until it is disposed of. */
export interface ProgressBar extends Disposable {
  /** @param done how much of the work is done. */
  readonly show: (done: number) => void;
}

/** Starts to show the progress of some work. */
export type StartProgress = (what: string) => ProgressBar;

/** The time between two drawings, in milliseconds. */
const INTERVAL_MS = 100;

/** Shows no progress. */
export const noProgress: StartProgress = () => ({ show: () => {}, [Symbol.dispose]: () => {} });

/**
 * Shows the progress of some work in one line, below what is printed. Shows nothing if the standard
 * error is not a terminal. The line is removed at the end of the block that declares it: `using bar
 * = progressBar(terminal, 'Searched')`. Print only before and after that block.
 */
export function progressBar({ stderr }: Pick<Terminal, 'stderr'>, what: string): ProgressBar {
  if (!stderr.isTTY) return noProgress(what);
  const line = lineOn(stderr);
  let drawn = Number.NEGATIVE_INFINITY;
  return {
    [Symbol.dispose]: line[Symbol.dispose],
    show: (done) => {
      if (performance.now() - drawn < INTERVAL_MS) return;
      drawn = performance.now();
      line.draw(`${what}: ${done}`);
    },
  };
}

/**
 * Does work of unknown length, and shows how long it has taken so far, as `progressBar` shows how
 * much is done.
 *
 * @returns the result of the work.
 * @throws what the work throws.
 */
export async function whileWaiting<T>(
  { stderr }: Pick<Terminal, 'stderr'>,
  what: string,
  work: () => Promise<T>,
): Promise<T> {
  if (!stderr.isTTY) return work();
  using line = lineOn(stderr);
  const start = performance.now();
  const draw = () => line.draw(`${what}: ${Math.round((performance.now() - start) / 1000)} s`);
  draw();
  const timer = setInterval(draw, 1000);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/** The last line of a terminal, which can be drawn again and is removed in the end. */
function lineOn(
  stderr: Terminal['stderr'],
): Disposable & { readonly draw: (text: string) => void } {
  const stream = writableOf(stderr);
  let isDrawn = false;
  return {
    draw: (text) => {
      isDrawn = true;
      // A longer text would go on in the next line, where it could not be drawn again.
      stream.write(`\r\x1b[K${printable(text).slice(0, (stderr.columns ?? 80) - 1)}`);
    },
    [Symbol.dispose]: () => {
      if (isDrawn) stream.write('\r\x1b[K');
    },
  };
}
