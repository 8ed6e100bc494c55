import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { conflictMarkerIn, fileText } from 'customer-data-api/file-text';
import { UsageError } from './user-error.ts';

/** Node's codes for what people get wrong about files, in their words. */
const REASONS: Readonly<Record<string, (file: string) => string>> = {
  ENOENT: (file) => `there is no file ${file}.`,
  EACCES: (file) => `permission denied: ${file}.`,
  EISDIR: (file) => `${file} is a directory.`,
  ENOSPC: () => 'no space is left on the device.',
  ENOTDIR: (file) => `a part of the path ${file} is not a directory.`,
};

/** Says why a file cannot be read, in words that follow a colon. */
export function whyUnreadable(file: string, { code = '', message }: NodeJS.ErrnoException): string {
  return REASONS[code]?.(file) ?? message;
}

/** Says why a file cannot be written, in words that follow a colon. */
export function whyUnwritable(file: string, error: NodeJS.ErrnoException): string {
  return error.code === 'ENOENT'
    ? `the directory of ${file} does not exist.`
    : whyUnreadable(file, error);
}

/**
 * Reads a text that a file has or, if the file is `-`, the standard input.
 *
 * @param name names the text in an error message.
 * @throws UsageError if it cannot be read.
 */
export function readTextFile(name: string, file: string, stdin?: Readable): Promise<string> {
  const reading = file === '-' && stdin ? buffer(stdin) : readFile(file);
  return reading.then(fileText, (error: Error) => {
    throw new UsageError(`${name} cannot be read: ${whyUnreadable(file, error)}`, 'unreadableFile');
  });
}

/** Throws UsageError if git left a conflict in the text of a file that has no text of its own. */
export function expectNoConflict(file: string, text: string): void {
  const marker = conflictMarkerIn(text);
  if (!marker) return;
  throw new UsageError(`${file}:${marker.line} ${marker.message}.`);
}
