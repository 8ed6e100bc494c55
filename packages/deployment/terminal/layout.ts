import { plainText, type Sentence } from 'customer-data-api/sentences';
import { printable } from './printable.ts';
import type { Line, Output } from './terminal.ts';

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
export function wrap(words: Sentence, columns: number, indent = ''): string[] {
  const text = printable(plainText(words));
  if (indent.length + text.length <= columns) return [`${indent}${text}`.trimEnd()];
  const last = words.at(-1);
  if (typeof words !== 'string' && typeof last === 'object' && 'command' in last) {
    return [...wrap(words.slice(0, -1), columns, indent), `${indent}${printable(last.command)}`];
  }
  const width = Math.max(1, columns - indent.length);
  const lines = text.match(new RegExp(`.{1,${width}}(?: |$)|.{1,${width}}`, 'gu')) ?? [];
  return lines.map((line) => `${indent}${line.trimEnd()}`);
}

function isPainted(line: Line): line is Exclude<Line, Sentence> {
  return (
    typeof line !== 'string' && line.some((part) => typeof part === 'object' && 'format' in part)
  );
}

/** A printer of lines. Those without colours are broken, between words, where the terminal ends. */
export function wrapped(print: (line: Line) => void, output: Output): (line: Line) => void {
  return (line) => {
    if (isPainted(line)) return print(line);
    for (const part of wrap(line, columnsOf(output))) print(part);
  };
}
