import { randomBytes, randomUUID } from 'node:crypto';
import { dirname } from 'node:path';
import {
  CognitoIdentityProvider,
  InvalidParameterException,
  UserNotFoundException,
} from '@aws-sdk/client-cognito-identity-provider';
import { named } from 'customer-data-api-deployment';
import { runningIssuer, signIdToken } from 'customer-data-api-deployment/local';
import { appClientIds, type Outputs } from 'customer-data-api-deployment/outputs';
import { UserError } from 'customer-data-api-deployment/program';
import { decodeJwt } from 'jose';
import type { Cleanup } from './cleanup.ts';

/** A user created for the checks. */
export interface User {
  readonly idToken: string;
  /** The `userId` that the deployment binds the token to. */
  readonly userId: string;
}

/**
 * Creates a user and signs it in: in Cognito, or with the issuer of the local server.
 *
 * @param outputsFile the file with the outputs, if they come from one: the local server keeps its
 *   key beside it.
 * @throws UserError if a password does not sign the user in.
 */
export function createUser(
  outputs: Outputs,
  outputsFile: string | undefined,
  cleanup: Cleanup,
): Promise<User> {
  return outputs.JwksUri && outputsFile
    ? localUser(outputs, dirname(outputsFile))
    : cognitoUser(outputs, cleanup);
}

async function localUser(outputs: Outputs, folder: string): Promise<User> {
  const issuer = await runningIssuer(folder);
  const user = `smoke-${randomUUID()}`;
  // The claim that the setting userIdClaim names.
  const claims = { [outputs.UserIdClaim]: user };
  return {
    userId: user,
    idToken: await signIdToken(issuer, { user, claims }),
  };
}

async function cognitoUser(outputs: Outputs, cleanup: Cleanup): Promise<User> {
  const { UserPoolId, UserIdClaim } = outputs;
  const [ClientId = ''] = appClientIds(outputs);
  const region = UserPoolId.split('_')[0] ?? '';
  const cognito = cleanup.use(named('cognito-idp', new CognitoIdentityProvider({ region })));
  const name = `smoke-${randomUUID()}`;

  async function create(Username: string): Promise<string> {
    cleanup.willRemove(`the user ${Username}`, async () => {
      await cognito.adminDeleteUser({ UserPoolId, Username }).catch((error) => {
        if (!(error instanceof UserNotFoundException)) throw error;
      });
    });
    await cognito.adminCreateUser({
      UserPoolId,
      Username,
      MessageAction: 'SUPPRESS',
      ...(UserIdClaim.startsWith('custom:') && {
        UserAttributes: [{ Name: UserIdClaim, Value: name }],
      }),
    });
    return Username;
  }

  const Username = await create(name).catch((error) => {
    // A pool whose users sign in with e-mail addresses accepts no other names. No e-mail is sent
    // to it.
    if (!(error instanceof InvalidParameterException)) throw error;
    return create(`${name}@example.com`);
  });
  const Password = `${randomBytes(24).toString('base64url')}aA1!`;
  await cognito.adminSetUserPassword({ UserPoolId, Username, Password, Permanent: true });
  const { AuthenticationResult: tokens } = await cognito.adminInitiateAuth({
    UserPoolId,
    ClientId,
    AuthFlow: 'ADMIN_USER_PASSWORD_AUTH',
    AuthParameters: { USERNAME: Username, PASSWORD: Password },
  });
  if (!tokens?.IdToken) {
    throw new UserError(
      'Cognito asks for more than the password: the checks need a pool that does not require a second factor.',
    );
  }
  return {
    idToken: tokens.IdToken,
    userId: userIdOf(tokens.IdToken, UserIdClaim),
  };
}

function userIdOf(idToken: string, claim: string): string {
  const { sub, ...claims } = decodeJwt(idToken);
  const userId = claim === 'none' || claim === 'sub' ? sub : claims[claim];
  if (typeof userId === 'string') return userId;
  throw new UserError(
    `The ID token has no claim ${claim}, which the setting userIdClaim names: promoCode/apply would refuse every user.`,
  );
}
