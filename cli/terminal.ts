import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { styleText } from 'node:util';

/** A stream that people read if it is a terminal, and programs otherwise. */
export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** The streams of a command. Data goes to `stdout`, everything else to `stderr`. */
export interface Terminal {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Output;
  readonly stderr: Output;
}

/** Prints a line of data. */
export function printTo({ stdout }: Pick<Terminal, 'stdout'>): (line: string) => void {
  return (line) => void stdout.write(`${line}\n`);
}

/** Prints a line that is not data. */
export function noteTo({ stderr }: Pick<Terminal, 'stderr'>): (line: string) => void {
  return (line) => void stderr.write(`${line}\n`);
}

/**
 * Prints lines of data as they come, and takes no more of them than the reader of the output does: memory does not depend on
 * how many there are.
 */
export async function printAll(
  { stdout }: Pick<Terminal, 'stdout'>,
  lines: AsyncIterable<string>,
): Promise<void> {
  await pipeline(withLineFeeds(lines), stdout, { end: false });
}

async function* withLineFeeds(lines: AsyncIterable<string>) {
  for await (const line of lines) yield `${line}\n`;
}

/** Colours text if the stream is a terminal that shows colours, and the environment does not forbid it with `NO_COLOR`. */
export function paint(format: Parameters<typeof styleText>[0], text: string, stream: Output) {
  return styleText(format, text, { stream });
}
