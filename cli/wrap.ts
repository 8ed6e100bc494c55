import type { Output } from './terminal.ts';

/** How many columns lines may have: those of the terminal. What a pipe reads stays in one line. */
export function columnsOf({ isTTY, columns = 80 }: Output): number {
  return isTTY ? columns : Number.POSITIVE_INFINITY;
}

/** Breaks text into indented lines of at most so many columns, between words where it can. */
export function wrap(text: string, columns: number, indent = ''): string[] {
  if (indent.length + text.length <= columns) return [`${indent}${text}`.trimEnd()];
  const width = Math.max(1, columns - indent.length);
  const lines = text.match(new RegExp(`.{1,${width}}(?: |$)|.{1,${width}}`, 'gu')) ?? [];
  return lines.map((line) => `${indent}${line.trimEnd()}`);
}
