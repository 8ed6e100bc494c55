import type { MiddlewareObj } from '@middy/core';
import { hasAppId } from '../../core/clients/client-access.ts';
import { count } from '../../core/runtime/metrics.ts';
import { UnauthorizedError } from '../http/errors.ts';
import type { WithRequestHeaders } from './check-headers.ts';
import type { WithClient } from './load-client.ts';
import type { WithClaims } from './verify-id-token.ts';

/**
 * Checks that the caller belongs to the client: the App-Id is one of the client's, and the token
 * was issued to one of its app clients.
 *
 * @throws UnauthorizedError, the same for any mismatch and for an unknown client.
 */
export function authorizeClient(): MiddlewareObj<
  WithRequestHeaders & WithClaims & WithClient<unknown>
> {
  return {
    before: function checkClient({ event: { client, requestHeaders, claims } }) {
      if (client.isLockedOut) count('ClientLockedOut');
      if (!hasAppId(client, requestHeaders.appId)) {
        const cause = new Error("App-Id is not one of the client's");
        throw new UnauthorizedError({ cause, mistake: 'foreignAppId' });
      }
      if (!client.appClients.includes(claims.aud)) {
        throw new UnauthorizedError({
          cause: new Error("token was issued to another client's app"),
        });
      }
    },
  };
}
