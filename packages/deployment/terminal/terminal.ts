import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { styleText } from 'node:util';
import { plainText, type Sentence } from 'customer-data-api/sentences';
import { printable, printableLines } from './printable.ts';

/**
 * A stream that people read if it is a terminal, and programs otherwise. It has no `write`, so that
 * everything is printed with the functions below. They escape it, because it may come from
 * anywhere.
 */
export type Output = Omit<Writable, 'write' | 'end'> & {
  readonly isTTY?: boolean;
  readonly columns?: number;
};

/** The streams of a command. Data goes to `stdout`, everything else to `stderr`. */
export interface Terminal {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Output;
  readonly stderr: Output;
}

/** Text in one or several formats, such as a colour. */
export interface Painted {
  readonly format: Parameters<typeof styleText>[0];
  readonly text: string;
}

/** A line. Colours are apart from its text, in which nothing that a terminal interprets is ours. */
export type Line = Sentence | readonly (string | Painted)[];

/** Text in a colour, as a part of a line. */
export function paint(format: Painted['format'], text: string): Painted {
  return { format, text };
}

/** Prints a line of data. */
export function printTo({ stdout }: Pick<Terminal, 'stdout'>): (line: Line) => void {
  return (line) => printLine(stdout, line);
}

/** Prints a line that is not data. */
export function noteTo({ stderr }: Pick<Terminal, 'stderr'>): (line: Line) => void {
  return (line) => printLine(stderr, line);
}

/**
 * Prints a line. A line feed in it is escaped too: the rest would look like a line of the command.
 */
export function printLine(stream: Output, line: Line): void {
  writableOf(stream).write(`${rendered(line, stream)}\n`);
}

/** Begins a file, and no terminal, with a byte order mark: Excel takes it for UTF-8 only then. */
export function printByteOrderMark(stream: Output): void {
  if (!stream.isTTY) writableOf(stream).write('\ufeff');
}

/** Prints a text of several lines, such as YAML or an error, with the line feeds that it has. */
export function printText(stream: Output, text: string): void {
  writableOf(stream).write(printableLines(text));
}

/**
 * Prints lines of data as they come, and takes no more of them than the reader of the output does:
 * memory does not depend on how many there are.
 */
export async function printAll(
  { stdout }: Pick<Terminal, 'stdout'>,
  lines: AsyncIterable<Line>,
): Promise<void> {
  const withLineFeeds = async function* () {
    for await (const line of lines) yield `${rendered(line, stdout)}\n`;
  };
  await pipeline(withLineFeeds, writableOf(stdout), { end: false });
}

/**
 * A line as it is printed: in colours on a terminal that shows them, unless `NO_COLOR` forbids it.
 */
export function rendered(line: Line, stream: Output): string {
  const parts = typeof line === 'string' ? [line] : line;
  return parts
    .map((part) =>
      typeof part === 'object' && 'format' in part
        ? styleText(part.format, printable(part.text), { stream: writableOf(stream) })
        : printable(plainText([part])),
    )
    .join('');
}

/**
 * The stream behind an output, for what moves the cursor. What is written to it must be escaped.
 */
export function writableOf(stream: Output): Writable {
  return stream as Writable;
}
