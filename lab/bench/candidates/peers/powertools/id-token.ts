import type { MiddlewareObj } from '@middy/core';
import { CognitoJwtVerifier } from 'aws-jwt-verify';
import { FetchError, JwtBaseError, JwtExpiredError } from 'aws-jwt-verify/error';
import {
  ServiceUnavailableError,
  TokenExpiredError,
  UnauthorizedError,
} from '../../../../../functions/http/errors.ts';
import { keySetCache } from '../../../../../functions/http/jwks-cache.ts';
import { AUDIENCES } from '../issuer.ts';
import type { CheckedEvent } from './checked-event.ts';

/**
 * Verifies the ID token. Throws TokenExpiredError, UnauthorizedError and ServiceUnavailableError.
 */
export function idToken(): MiddlewareObj<CheckedEvent> {
  const verifier = CognitoJwtVerifier.create(
    { userPoolId: process.env.USER_POOL_ID ?? '', clientId: AUDIENCES, tokenUse: 'id' },
    // The emulator serves the key set over HTTP. The library's own fetcher only supports HTTPS.
    { jwksCache: keySetCache() },
  );
  return {
    before: async ({ event }) => {
      const token = event.requestHeaders.idToken;
      try {
        event.claims = { ...(await verifier.verify(token)) };
      } catch (error) {
        if (error instanceof FetchError) throw new ServiceUnavailableError({ cause: error });
        if (!(error instanceof JwtBaseError)) throw error;
        if (!(error instanceof JwtExpiredError)) throw new UnauthorizedError({ cause: error });
        await verifier.verify(token, { graceSeconds: Number.POSITIVE_INFINITY }).catch((cause) => {
          throw new UnauthorizedError({ cause });
        });
        throw new TokenExpiredError({ cause: error });
      }
      if (typeof event.claims.exp !== 'number') throw new UnauthorizedError();
    },
  };
}
