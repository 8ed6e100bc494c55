import type { Terminal } from './terminal.ts';

/** Receives how much of some work is done. */
export type Progress = (done: number) => void;

/** The time between two drawings, in milliseconds. */
const INTERVAL_MS = 100;
const BAR_COLUMNS = 20;

/**
 * Shows the progress of some work in one line, below what is printed. Shows nothing if the standard error is not a terminal.
 * The line is removed at the end of the block that declares it: `using bar = progressBar(terminal, 'Searched', 5000)`.
 *
 * @param total how much there is to do, if that is known.
 */
export function progressBar(
  { stderr }: Pick<Terminal, 'stderr'>,
  what: string,
  total?: number,
): Disposable & { readonly show: Progress } {
  if (!stderr.isTTY) return { show: () => {}, [Symbol.dispose]: () => {} };
  let drawn = Number.NEGATIVE_INFINITY;
  return {
    show: (done) => {
      if (performance.now() - drawn < INTERVAL_MS) return;
      drawn = performance.now();
      stderr.write(`\r\x1b[K${lineOf(what, done, total)}`);
    },
    [Symbol.dispose]: () => {
      if (drawn > 0) stderr.write('\r\x1b[K');
    },
  };
}

function lineOf(what: string, done: number, total: number | undefined): string {
  if (!total) return `${what}: ${done}`;
  // A total can be approximate, or grow.
  const filled = Math.round(BAR_COLUMNS * Math.min(1, done / total));
  return `${what}: [${'#'.repeat(filled).padEnd(BAR_COLUMNS, '.')}] ${done} of ${Math.max(done, total)}`;
}
