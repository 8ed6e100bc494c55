import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import middy, { type MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { PayloadTooLargeError } from '../../../../../functions/http/errors.ts';
import { MAX_BODY_BYTES } from '../request-body.ts';
import type { CheckedEvent } from './checked-event.ts';
import { idToken } from './id-token.ts';
import { logger } from './logger.ts';
import { requiredHeaders } from './required-headers.ts';
import { errorResponse } from './responses.ts';

/** The middlewares of every operation, up to the validation of the body. */
export function apiHandler(observers: MiddlewareObj[] = []) {
  return middy<CheckedEvent, APIGatewayProxyResult>()
    .use(observers)
    .use(injectLambdaContext(logger))
    .use(errorResponse())
    .use(requiredHeaders())
    .use(idToken())
    .use(bodySize());
}

/** Limits the size of the request body. Throws PayloadTooLargeError. */
function bodySize(): MiddlewareObj<CheckedEvent> {
  return {
    before: ({ event }) => {
      if (Buffer.byteLength(event.body ?? '') <= MAX_BODY_BYTES) return;
      throw new PayloadTooLargeError(`At most ${MAX_BODY_BYTES} bytes are allowed.`);
    },
  };
}
