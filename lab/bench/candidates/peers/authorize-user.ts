import { ForbiddenError } from '../../../../functions/http/errors.ts';
import type { Claims } from './issuer.ts';

/** @throws ForbiddenError if the token does not belong to the user in the request. */
export function authorizeUser(userId: string, claims: Claims): void {
  const { USER_ID_CLAIM = 'none' } = process.env;
  if (USER_ID_CLAIM !== 'none' && claims[USER_ID_CLAIM] !== userId) throw new ForbiddenError();
}
