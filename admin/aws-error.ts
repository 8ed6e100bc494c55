import { LocalError, orOneLine } from '../local/local-error.ts';

/** Runs a command; an error of AWS, such as missing credentials or permissions, ends it with one line as well. */
export function orOneLineOfAws(run: () => Promise<void>): Promise<void> {
  return orOneLine(() =>
    run().catch((error) => {
      const isOfAws = '$metadata' in error || error.name === 'CredentialsProviderError';
      throw isOfAws ? new LocalError(`AWS answers ${error.name}: ${error.message}`) : error;
    }),
  );
}
