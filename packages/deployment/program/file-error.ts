import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { fileText } from 'customer-data-api/file-text';
import { UsageError } from './user-error.ts';

/** Node's codes for what people get wrong about files, in their words. */
const REASONS: Readonly<Record<string, (file: string) => string>> = {
  ENOENT: (file) => `there is no file ${file}.`,
  EACCES: (file) => `permission denied: ${file}.`,
  EISDIR: (file) => `${file} is a directory.`,
  ENOSPC: () => 'no space is left on the device.',
  ERR_ENCODING_INVALID_ENCODED_DATA: (file) => `${file} is not in UTF-8. Save it as UTF-8.`,
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
  return reading.then(fileText).catch((error: Error) => {
    throw unreadable(name, file, error);
  });
}

/**
 * Reads a text that a file has; undefined if there is no such file.
 *
 * @param name names the text in an error message.
 * @throws UsageError if there is one, and it cannot be read.
 */
export async function readTextFileIfAny(name: string, file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const reason = error as NodeJS.ErrnoException;
    if (reason.code === 'ENOENT') return undefined;
    throw unreadable(name, file, reason);
  }
}

function unreadable(name: string, file: string, error: NodeJS.ErrnoException): UsageError {
  return new UsageError(`${name} cannot be read: ${whyUnreadable(file, error)}`, 'unreadableFile');
}
