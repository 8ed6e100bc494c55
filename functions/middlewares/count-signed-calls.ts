import type { MiddlewareObj } from '@middy/core';
import { count } from '../../core/runtime/metrics.ts';
import { ForbiddenError, UnauthorizedError } from '../http/errors.ts';
import type { WithClaims } from './verify-id-token.ts';

/**
 * Counts the calls whose token our user pool signed, and those of them that are refused because of
 * their sender. Many such refusals are a mistake of ours, such as a wrong setting: unlike calls
 * with forged tokens, a flood of them takes real users.
 */
export function countSignedCalls(): MiddlewareObj<WithClaims> {
  return {
    after: function countSignedCall() {
      count('SignedCall');
    },
    onError: function countRefusal({ event: { isSigned }, error }) {
      if (!isSigned) return;
      count('SignedCall');
      const isRefused = error instanceof UnauthorizedError || error instanceof ForbiddenError;
      if (isRefused) count('SignedCallRefused');
    },
  };
}
