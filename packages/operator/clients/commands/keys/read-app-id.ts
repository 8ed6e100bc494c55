import { isSendable } from 'customer-data-api/clients';
import type { Terminal } from 'customer-data-api-deployment/program';
import { readTextFile, UsageError } from 'customer-data-api-deployment/program';

/**
 * Reads an App-Id that exists: not from the command line, which shells remember.
 *
 * @param file the file with it, or `-` for the standard input.
 * @throws UsageError if the file cannot be read or has no App-Id. The message does not quote the
 *   file.
 */
export async function readAppId(file: string, { stdin }: Pick<Terminal, 'stdin'>): Promise<string> {
  const content = await readTextFile('The App-Id', file, stdin);
  const appId = content.trim();
  if (isSendable(appId)) return appId;
  throw new UsageError(
    `${file === '-' ? 'The standard input' : file} must contain one App-Id and nothing else.`,
  );
}
