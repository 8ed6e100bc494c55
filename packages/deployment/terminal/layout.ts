import { printable } from './printable.ts';
import type { Output } from './terminal.ts';

/**
 * Returns a formatter of a table's rows.
 *
 * @param widths the widths of all columns but the last. A longer cell moves the rest of its row.
 */
export function tableRows(...widths: readonly number[]): (...cells: readonly string[]) => string {
  return (...cells) =>
    cells
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd();
}

/**
 * Returns the columns of a terminal, for the length of lines. What a pipe reads stays in one line.
 */
export function columnsOf({ isTTY, columns }: Output): number {
  // Some terminals have 0.
  return isTTY ? columns || 80 : Number.POSITIVE_INFINITY;
}

/**
 * Escapes text and breaks it into indented lines of at most so many columns, if possible between
 * words. A command at its end stays in one line, however long, so that it can be pasted.
 */
export function wrap(words: string, columns: number, indent = ''): string[] {
  const text = printable(words);
  if (indent.length + text.length <= columns) return [`${indent}${text}`.trimEnd()];
  const command = / \.\/customer-data .*$/.exec(text)?.[0].trimStart();
  if (command !== undefined) {
    const before = text.slice(0, -command.length - 1);
    return [...wrap(before, columns, indent), `${indent}${command}`];
  }
  const width = Math.max(1, columns - indent.length);
  const lines = text.match(new RegExp(`.{1,${width}}(?: |$)|.{1,${width}}`, 'gu')) ?? [];
  return lines.map((line) => `${indent}${line.trimEnd()}`);
}

/** A printer of lines that are broken, between words, where the terminal ends. */
export function wrapped(print: (line: string) => void, output: Output): (line: string) => void {
  return (line) => wrap(line, columnsOf(output)).forEach(print);
}
