import { CommandError, runCommand } from '../core/platform/command-error.ts';

/** Runs a command; an error of AWS, such as missing credentials or permissions, ends it with one line as well. */
export function runAwsCommand(run: () => Promise<void>): Promise<void> {
  return runCommand(() =>
    run().catch((error) => {
      const isOfAws = '$metadata' in error || error.name === 'CredentialsProviderError';
      throw isOfAws ? new CommandError(`AWS answers ${error.name}: ${error.message}`) : error;
    }),
  );
}
