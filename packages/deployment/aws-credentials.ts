import { defaultProvider } from '@aws-sdk/credential-provider-node';
import type { Pluggable } from '@smithy/types';
import { throughProxy } from './aws-proxy.ts';
import { shellWords } from './program/suggestion.ts';
import { UserError } from './program/user-error.ts';
import { ask, currentTerminal } from './terminal/question.ts';

type Provider = ReturnType<typeof defaultProvider>;

let provider: Provider | undefined;

/**
 * The credentials of the environment, as the AWS CLI finds them. All clients of a command share
 * them, so that an MFA code is asked for once. The clients that find them use the proxy, too.
 */
export const operatorCredentials: Provider = (properties) => {
  provider ??= defaultProvider({
    // Nobody closes the connections of these clients.
    clientConfig: { requestHandler: throughProxy(false) },
    clientPlugins: [ASKS_FOR_CODE],
    mfaCodeProvider: async () => 'asked for later',
  });
  return provider(properties);
};

/** Forgets the credentials, because the environment has changed. */
export function forgetCredentials(): void {
  provider = undefined;
}

/**
 * Asks for the code when a role is assumed. `mfaCodeProvider` would ask while the SDK still finds
 * the credentials of the source profile: their error would end the process with a stack trace, and
 * two roles in a row would ask at the same time.
 */
const ASKS_FOR_CODE: Pluggable<{ SerialNumber?: string; TokenCode?: string }, object> = {
  applyToStack: (stack) =>
    stack.add(
      (next) => async (args) => {
        const { SerialNumber } = args.input;
        if (SerialNumber === undefined) return next(args);
        return next({
          ...args,
          input: { ...args.input, TokenCode: await askForCode(SerialNumber) },
        });
      },
      { step: 'initialize' },
    ),
};

/**
 * Asks for the code of a device. It is not shown, and nothing keeps it.
 *
 * @throws UserError without a terminal, or if nothing is typed.
 */
async function askForCode(device: string): Promise<string> {
  const terminal = currentTerminal();
  if (!terminal.stdin.isTTY) {
    const profile = process.env.AWS_PROFILE ?? 'default';
    const words = ['aws', 'configure', 'export-credentials', '--profile', profile];
    throw new UserError(
      [
        [
          `The profile ${profile} needs an MFA code, and stdin is not a terminal. Without --profile, the credentials can come from the environment. In a terminal, this prints them: `,
          { command: shellWords([...words, '--format', 'env']) },
        ],
      ],
      'noCredentials',
    );
  }
  const code = (await ask(terminal, `MFA code of ${device}: `, { isSecret: true })).trim();
  if (code !== '') return code;
  throw new UserError('No MFA code was typed.', 'noCredentials');
}
