import type { MiddlewareObj } from '@middy/core';
import { readHeaders } from '../headers.ts';
import type { CheckedEvent } from './checked-event.ts';

/** Reads the headers of the request. Throws UnauthorizedError. */
export function requiredHeaders(): MiddlewareObj<CheckedEvent> {
  return {
    before: ({ event }) => {
      const headers = Object.fromEntries(
        Object.entries(event.headers).map(([name, value]) => [name.toLowerCase(), value]),
      );
      event.requestHeaders = readHeaders((name) => headers[name]);
    },
  };
}
