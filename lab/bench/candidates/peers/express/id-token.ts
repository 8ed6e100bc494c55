import jwt from 'jsonwebtoken';
import jwksClient from 'jwks-rsa';
import {
  ServiceUnavailableError,
  TokenExpiredError,
  UnauthorizedError,
} from '../../../../../functions/http/errors.ts';
import { AUDIENCES, type Claims, ISSUER, JWKS_URI } from '../issuer.ts';

const client = jwksClient({ jwksUri: JWKS_URI, cache: true, rateLimit: true });

/**
 * Verifies an ID token.
 *
 * @throws TokenExpiredError, UnauthorizedError, ServiceUnavailableError
 */
export async function verifyIdToken(token: string): Promise<Claims> {
  try {
    return await verify(token, false);
  } catch (error) {
    if (!(error instanceof jwt.TokenExpiredError)) throw error;
    // jsonwebtoken checks the expiry before issuer and audience.
    await verify(token, true);
    throw new TokenExpiredError({ cause: error });
  }
}

async function verify(token: string, ignoreExpiration: boolean): Promise<Claims> {
  const claims = await new Promise<Claims>((resolve, reject) => {
    jwt.verify(
      token,
      ({ kid }, callback) => {
        client.getSigningKey(kid, (error, key) => callback(error, key?.getPublicKey()));
      },
      { algorithms: ['RS256'], audience: AUDIENCES, issuer: ISSUER, ignoreExpiration },
      (error, payload) => (error ? reject(toApiError(error)) : resolve(payload as Claims)),
    );
  });
  if (claims.token_use !== 'id' || typeof claims.exp !== 'number') throw new UnauthorizedError();
  return claims;
}

function toApiError(error: Error): Error {
  if (error instanceof jwt.TokenExpiredError) return error;
  // jsonwebtoken wraps the error of the key callback.
  const isUnavailable = /error in secret or public key callback/.test(error.message);
  const isUnknown = /Unable to find a signing key/.test(error.message);
  return isUnavailable && !isUnknown
    ? new ServiceUnavailableError({ cause: error })
    : new UnauthorizedError({ cause: error });
}
