import type { MiddlewareObj } from '@middy/core';
import { environment } from '../../core/platform/environment.ts';
import { count } from '../../core/platform/metrics.ts';
import { ForbiddenError } from '../api/errors.ts';
import type { WithClaims } from '../api/id-token.ts';
import type { WithRequest } from '../api/json-body.ts';

/**
 * Checks that the token belongs to the user whose account the request names: the claim that the setting `userIdClaim`
 * names equals `userId`. `none` switches it off.
 *
 * @throws ForbiddenError, counted in a metric: apps do not look at the answer, so a wrong setting would otherwise lose
 *   every application unnoticed.
 */
export function userBinding(): MiddlewareObj<
  WithClaims & WithRequest<{ clientId: string; userId: string }>
> {
  const claim = environment('USER_ID_CLAIM');

  return {
    before: function checkUserBinding({ event: { claims, request } }) {
      if (claim === 'none' || claims[claim] === request.userId) return;
      count('UserBindingRefused', 1, { clientId: request.clientId, claim });
      throw new ForbiddenError();
    },
  };
}
