import type { MiddlewareObj } from '@middy/core';
import { count } from '../../core/runtime/metrics.ts';
import { ForbiddenError } from '../http/errors.ts';
import type { WithRequest } from '../middlewares/validate-body.ts';
import type { WithClaims } from '../middlewares/verify-id-token.ts';

/**
 * Checks that the token belongs to the user in `userId`.
 *
 * @param claim the claim that must equal `userId`; `none` switches the check off.
 * @throws ForbiddenError, counted in a metric: apps ignore the response, so a wrong setting would
 *   silently lose every application.
 */
export function authorizeUser(
  claim: string,
): MiddlewareObj<WithClaims & WithRequest<{ clientId: string; userId: string }>> {
  return {
    before: function checkUser({ event: { claims, request } }) {
      if (claim === 'none' || claims[claim] === request.userId) return;
      count('UserBindingRefused');
      throw new ForbiddenError({ cause: new Error(`the claim ${claim} is not userId`) });
    },
  };
}
