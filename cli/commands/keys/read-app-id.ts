import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import * as v from 'valibot';
import { UsageError } from '../../../core/user-error.ts';
import { HEADER_SCHEMAS } from '../../../functions/middlewares/check-headers.ts';
import { whyUnreadable } from '../../file-error.ts';
import type { Terminal } from '../../terminal/terminal.ts';

/**
 * Reads an App-Id that exists: not from the command line, which shells remember.
 *
 * @param file the file with it, or `-` for the standard input.
 * @throws UsageError if the file cannot be read or has no App-Id. The message does not quote the
 *   file.
 */
export async function readAppId(file: string, { stdin }: Pick<Terminal, 'stdin'>): Promise<string> {
  const content = await (file === '-' ? text(stdin) : readFile(file, 'utf8')).catch((error) => {
    throw new UsageError(
      `The App-Id cannot be read: ${whyUnreadable(file, error)}`,
      'unreadableFile',
    );
  });
  const { success, output } = v.safeParse(HEADER_SCHEMAS.appId, content.trim());
  if (success) return output;
  throw new UsageError(
    `${file === '-' ? 'The standard input' : file} must contain one App-Id and nothing else.`,
  );
}
