import type { MiddlewareObj } from '@middy/core';
import { CognitoJwtVerifier } from 'aws-jwt-verify';
import {
  FetchError,
  JwksValidationError,
  JwkValidationError,
  JwtBaseError,
  JwtExpiredError,
  JwtInvalidClaimError,
  JwtNotBeforeError,
  JwtParseError,
  ParameterValidationError,
} from 'aws-jwt-verify/error';
import type { JwksCache } from 'aws-jwt-verify/jwk';
import type { CognitoIdTokenPayload } from 'aws-jwt-verify/jwt-model';
import { ServiceUnavailableError, TokenExpiredError, UnauthorizedError } from '../http/errors.ts';
import { keySetCache } from '../http/jwks-cache.ts';
import type { WithRequestHeaders } from './check-headers.ts';

/** The claims of the verified ID token. */
export interface WithClaims {
  claims: CognitoIdTokenPayload;
  /** True if the user pool signed the token and it has not expired, even if it is refused. */
  isSigned: boolean;
}

/**
 * Verifies the ID token: signature, issuer, `token_use`, audience, and last its expiry, so that
 * only a token that was once valid here gets the answer "expired".
 * https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-using-tokens-verifying-a-jwt.html
 *
 * @param userPoolClientIds the app clients whose tokens are accepted.
 * @param keySets the cache of the signing keys.
 * @throws TokenExpiredError if only the expiry is wrong.
 * @throws ServiceUnavailableError if the key set cannot be fetched.
 * @throws UnauthorizedError otherwise.
 */
export function verifyIdToken(
  userPoolId: string,
  userPoolClientIds: readonly string[],
  keySets: JwksCache = keySetCache(),
): MiddlewareObj<WithRequestHeaders & WithClaims> {
  const verifier = CognitoJwtVerifier.create(
    { userPoolId, clientId: [...userPoolClientIds], tokenUse: 'id' },
    { jwksCache: keySets },
  );

  async function verify(token: string): Promise<CognitoIdTokenPayload> {
    try {
      const claims = await verifier.verify(token);
      // The library accepts a token without `exp` forever.
      if (typeof claims.exp !== 'number') throw new UnauthorizedError();
      return claims;
    } catch (error) {
      // The library fails to write the dates of `exp` and `nbf` that JavaScript does not have.
      if (!(error instanceof JwtExpiredError || error instanceof RangeError)) throw error;
      // The library checks expiry before issuer, audience and use. Check those before answering
      // that the token has expired.
      const claims = await verifier.verify(token, { graceSeconds: Number.POSITIVE_INFINITY });
      if (claims.exp === undefined || claims.exp >= Date.now() / 1000) {
        throw new JwtNotBeforeError('The token cannot be used yet', claims.nbf);
      }
      // Without the time: lines with one reason are counted together.
      const reason = `the token of app client ${claims.aud} has expired`;
      throw new TokenExpiredError({ cause: new Error(reason) });
    }
  }

  return {
    before: async function verifyToken({ event }) {
      try {
        event.claims = await verify(event.requestHeaders.authorization);
        event.isSigned = true;
      } catch (error) {
        // The library checks claims after the signature.
        event.isSigned = error instanceof JwtInvalidClaimError;
        throw toApiError(error);
      }
    },
  };
}

function toApiError(error: unknown): unknown {
  if (
    error instanceof FetchError ||
    error instanceof JwksValidationError ||
    error instanceof JwkValidationError
  ) {
    return new ServiceUnavailableError({ cause: error });
  }
  if (!(error instanceof JwtBaseError)) return error;
  return new UnauthorizedError({ cause: new Error(reasonOf(error)) });
}

/**
 * Returns the reason of a refusal, for the log. The library's messages quote the token. Only those
 * about claims are logged: claims are checked after the signature, so Cognito wrote them.
 */
function reasonOf(error: JwtBaseError): string {
  if (error instanceof JwtInvalidClaimError) return error.message;
  if (error instanceof JwtParseError) return 'the token cannot be parsed';
  // Thrown for an issuer that the verifier does not know.
  if (error instanceof ParameterValidationError) return 'the issuer is not the user pool';
  return 'the token is not signed by the user pool';
}
