import { printable } from './printable.ts';
import { inWords, type Line, type Output, type Suggestion } from './terminal.ts';

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
 * words. A command that it suggests stays in one line, however long, so that it can be pasted.
 */
export function wrap(words: string | Suggestion, columns: number, indent = ''): string[] {
  const text = printable(inWords(words));
  if (indent.length + text.length <= columns) return [`${indent}${text}`.trimEnd()];
  if (typeof words !== 'string' && words.command !== undefined) {
    return [...wrap(words.message, columns, indent), `${indent}${printable(words.command)}`];
  }
  const width = Math.max(1, columns - indent.length);
  const lines = text.match(new RegExp(`.{1,${width}}(?: |$)|.{1,${width}}`, 'gu')) ?? [];
  return lines.map((line) => `${indent}${line.trimEnd()}`);
}

/** A printer of lines. Those without colours are broken, between words, where the terminal ends. */
export function wrapped(print: (line: Line) => void, output: Output): (line: Line) => void {
  return (line) => {
    if (typeof line !== 'string' && !('message' in line)) return print(line);
    for (const part of wrap(line, columnsOf(output))) print(part);
  };
}
