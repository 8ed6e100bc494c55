import { UserError } from '../program/user-error.ts';
import type { Issuer, SigningKey } from './issuer.ts';
import { type LocalOutputs, runningOutputs } from './outputs-file.ts';
import { readSigningKey } from './signing-key.ts';

/** Reads the running server's issuer. Throws UserError if no server runs or its key is gone. */
export async function runningIssuer(folder: string): Promise<Issuer> {
  const outputs = await runningOutputs(folder);
  const signingKey = await readSigningKey(folder);
  if (!signingKey) throw new UserError(`${folder} has no key. Restart the local server.`);
  return issuerFrom(outputs, signingKey);
}

/** The issuer of a server with these outputs, which signs with a key. */
export function issuerFrom(
  { UserPoolId, UserPoolClientId }: Pick<LocalOutputs, 'UserPoolId' | 'UserPoolClientId'>,
  signingKey: SigningKey,
): Issuer {
  return {
    userPoolId: UserPoolId,
    userPoolClientId: UserPoolClientId.split(',')[0] ?? '',
    signingKey,
  };
}
