import type { MiddlewareObj } from '@middy/core';
import { AppIdUses } from '../../core/clients/app-id-uses.ts';
import type { WithRequestHeaders } from './check-headers.ts';
import type { WithRequest } from './validate-body.ts';

/** Counts uses of App-Ids. Runs after their check, so that invented ones are not counted. */
export function countAppIdUses(): MiddlewareObj<
  WithRequestHeaders & WithRequest<{ clientId: string }>
> {
  const uses = new AppIdUses();
  return {
    before: function countAppIdUse({ event: { request, requestHeaders } }) {
      uses.count(request.clientId, requestHeaders.appId);
    },
  };
}
