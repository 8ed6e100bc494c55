import type { MiddlewareObj } from '@middy/core';
import { comparableId } from '../../core/identifiers.ts';
import { ForbiddenError } from '../http/errors.ts';
import type { WithRequest } from '../middlewares/validate-body.ts';
import type { WithClaims } from '../middlewares/verify-id-token.ts';

/**
 * The claims that say whether Cognito has verified another one. Without it, a user can enter the
 * address of somebody else.
 */
const VERIFIED_BY = new Map([
  ['email', 'email_verified'],
  ['phone_number', 'phone_number_verified'],
]);

/** Triggers that change tokens write texts only. */
function isTrue(claim: unknown): boolean {
  return claim === true || claim === 'true';
}

/**
 * Binds a request to the user of its token: `userId` must name that user, and becomes the id as the
 * token has it, so that nobody applies a code once for each spelling.
 *
 * @param claim the claim that must equal `userId`; `none` switches the check off.
 * @throws ForbiddenError, counted in a metric: apps ignore the response, so a wrong setting would
 *   silently lose every application.
 */
export function bindUser(
  claim: string,
): MiddlewareObj<WithClaims & WithRequest<{ clientId: string; userId: string }>> {
  const verifiedBy = VERIFIED_BY.get(claim);
  return {
    before: function bind({ event: { claims, request } }) {
      if (claim === 'none') return;
      const isVerified = verifiedBy === undefined || isTrue(claims[verifiedBy]);
      const { [claim]: userId } = claims;
      const isUserOfToken =
        typeof userId === 'string' && comparableId(userId) === comparableId(request.userId);
      if (isVerified && isUserOfToken) {
        request.userId = userId;
        return;
      }
      throw isVerified
        ? new ForbiddenError(`${claim} is not userId`)
        : new ForbiddenError(`${verifiedBy} is not true`, 'unverified');
    },
  };
}
