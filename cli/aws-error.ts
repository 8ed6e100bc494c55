import { CommandError, runCommand } from '../core/platform/command-error.ts';

/** Runs a command. An error of AWS, such as missing credentials or permissions, ends it with one line and exit code 1. */
export function runAwsCommand(run: () => Promise<void>): Promise<void> {
  return runCommand(() => run().catch((error) => Promise.reject(inOneLine(error))));
}

function inOneLine(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const isOfAws = '$metadata' in error || error.name === 'CredentialsProviderError';
  if (!isOfAws) return error;
  // The error of a refused connection has a code and no message.
  const text = error.message || ('code' in error ? String(error.code) : '');
  return new CommandError(`The call to AWS failed. ${error.name}: ${text.replaceAll(/\s+/g, ' ')}`);
}
