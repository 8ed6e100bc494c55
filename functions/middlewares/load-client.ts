import type { MiddlewareObj } from '@middy/core';
import type { Client } from '../../core/clients/client-access.ts';
import type { clientCache } from '../../core/clients/client-cache.ts';
import { count } from '../../core/runtime/metrics.ts';
import type { WithRemarks } from '../http/envelope.ts';
import { UnauthorizedError } from '../http/errors.ts';
import type { WithRequest } from './validate-body.ts';

/** The client that the request names. */
export interface WithClient<TData> {
  client: Client<TData>;
  /** True if the item could not be read again in time and this is the last good copy. */
  isClientStale: boolean;
}

/**
 * Loads the client that the request names.
 *
 * @param load from `clientCache`.
 * @throws UnauthorizedError for an unknown client.
 * @throws UnavailableError if its item cannot be read and no copy is cached.
 */
export function loadClient<TData>(
  load: ReturnType<typeof clientCache<TData>>,
): MiddlewareObj<WithRemarks & WithRequest<{ clientId: string }> & WithClient<TData>> {
  return {
    before: async function loadClientRecord({ event }) {
      const { clientId } = event.request;
      const { value, stale } = await load(clientId);
      if (!value) throw new UnauthorizedError({ cause: new Error('unknown client') });
      event.client = value;
      event.isClientStale = stale;
    },
  };
}

/** Warns an authorized caller of a stale item. It would tell anyone else that the client exists. */
export function warnIfStale(): MiddlewareObj<WithRemarks & WithClient<unknown>> {
  return {
    before: function warnIfClientIsStale({ event }) {
      if (!event.isClientStale) return;
      event.warnings.push('The configuration may be out of date: it could not be read again.');
      count('LastGoodConfigServed');
    },
  };
}
