import { CommandError, EXIT_CODES } from '../core/platform/command-error.ts';
import { callOf } from './aws-call.ts';

/** AWS could not be reached, or did not permit a call. */
export class AwsError extends CommandError {
  override readonly exitCode = EXIT_CODES.aws;
}

/** An error of AWS, such as missing credentials or permissions, in one line; any other value as it is. */
export function inOneLine(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const isOfAws = '$metadata' in error || /^(Credentials|Token)ProviderError$/.test(error.name);
  if (!isOfAws) return error;
  // The error of a refused connection has a code and no message.
  const text = error.message || ('code' in error ? String(error.code) : '');
  const call = callOf(error) ?? 'A call to AWS';
  return new AwsError(`${call} failed. ${error.name}: ${text.replaceAll(/\s+/g, ' ')}`);
}
