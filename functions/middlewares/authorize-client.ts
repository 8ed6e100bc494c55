import type { MiddlewareObj } from '@middy/core';
import { acceptsAudience, admitsNobody, hasAppId } from '../../core/clients/client-access.ts';
import { count } from '../../core/runtime/metrics.ts';
import { UnauthorizedError } from '../http/errors.ts';
import type { WithRequestHeaders } from './check-headers.ts';
import type { WithClient } from './load-client.ts';
import type { WithClaims } from './verify-id-token.ts';

/**
 * Checks that the caller belongs to the client: the App-Id is in the client's `appIds`, and the
 * token was issued to one of its `userPoolClientIds`, if it has any.
 *
 * @throws UnauthorizedError, the same for any mismatch and for an unknown client.
 */
export function authorizeClient(): MiddlewareObj<
  WithRequestHeaders & WithClaims & WithClient<unknown>
> {
  return {
    before: function checkClient({ event: { client, requestHeaders, claims } }) {
      if (admitsNobody(client.fingerprints, client.userPoolClientIds)) count('ClientLockedOut');
      if (!hasAppId(client, requestHeaders.appId)) {
        const cause = new Error("App-Id is not one of the client's");
        throw new UnauthorizedError({ cause, mistake: 'foreignAppId' });
      }
      if (!acceptsAudience(client, claims.aud)) {
        throw new UnauthorizedError({
          cause: new Error("token was issued to another client's app"),
        });
      }
    },
  };
}
