import { writeSync } from 'node:fs';
import {
  type Line,
  type Output,
  rendered,
  type Terminal,
  writableOf,
} from '../terminal/terminal.ts';
import { whyUnwritable } from './file-error.ts';
import { UserError } from './user-error.ts';

/**
 * Runs a command whose output may fail. Node would end it at once, with a stack trace, but it still
 * has to finish or to undo its work.
 *
 * @throws UserError after that, if output was lost. It is not lost if its reader has gone, because
 *   that has seen enough.
 */
export async function withOutput(
  { stdout, stderr }: Omit<Terminal, 'stdin'>,
  run: () => Promise<void>,
): Promise<void> {
  const errors: unknown[] = [];
  const streams = [stdout, stderr];
  for (const stream of streams) {
    writeWhole(stream);
    stream.on('error', (error) => errors.push(error));
  }
  await run().catch((error: unknown) => {
    if (!errors.includes(error)) throw error;
  });
  await Promise.all(streams.map((stream) => wrote(stream, '')));
  const lost = errors.find((error) => !isClosedPipe(error));
  if (lost) throw unwritableOutput(lost);
}

/** Prints a line of data that is not shown again. Returns false if it was lost. */
export function printOnce({ stdout }: Pick<Terminal, 'stdout'>, line: Line): Promise<boolean> {
  return wrote(stdout, `${rendered(line, stdout)}\n`);
}

function wrote(stream: Output, text: string): Promise<boolean> {
  return new Promise((resolve) => {
    writableOf(stream).write(text, (error) => resolve(!error));
  });
}

/** The error of a program that cannot write its output. */
export function unwritableOutput(error: unknown): UserError {
  const why = whyUnwritable('the output', error as NodeJS.ErrnoException);
  return new UserError(`The output cannot be written: ${why}`, 'unwritableOutput');
}

/** True for the error of a pipe that nobody reads any more. */
export function isClosedPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE';
}

/**
 * Makes a stream of a file write the rest when the disk took only a part: Node forgets the rest,
 * without an error.
 */
export function writeWhole(stream: Output): void {
  if (stream.constructor.name !== 'SyncWriteStream' || !('fd' in stream)) return;
  const { fd } = stream;
  writableOf(stream)._write = (chunk: Buffer, _encoding, done) => {
    try {
      for (let written = 0; written < chunk.length; ) {
        written += writeSync(Number(fd), chunk, written);
      }
      done();
    } catch (error) {
      done(error as Error);
    }
  };
}
