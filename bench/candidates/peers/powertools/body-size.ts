import type { MiddlewareObj } from '@middy/core';
import { PayloadTooLargeError } from '../../../../functions/http/errors.ts';
import { MAX_BODY_BYTES } from '../request-body.ts';
import type { CheckedEvent } from './checked-event.ts';

/** Limits the size of the request body. Throws PayloadTooLargeError. */
export function bodySize(): MiddlewareObj<CheckedEvent> {
  return {
    before: ({ event }) => {
      if (Buffer.byteLength(event.body ?? '') <= MAX_BODY_BYTES) return;
      throw new PayloadTooLargeError(`At most ${MAX_BODY_BYTES} bytes are allowed.`);
    },
  };
}
