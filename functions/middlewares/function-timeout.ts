import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { type CodedResponse, errorResponse } from '../http/envelope.ts';
import { ServiceUnavailableError } from '../http/errors.ts';

type Handler = (event: APIGatewayProxyEvent, context: Context) => Promise<CodedResponse>;

const RESERVED_MS = 500;

/** Disables middy's early timeout, which does not cover middlewares: ours call other services. */
export const NO_EARLY_TIMEOUT = { timeoutEarlyInMillis: 0 };

/**
 * Responds in our envelope shortly before Lambda would end the function and the gateway would
 * respond instead. Work in flight may still succeed; a retry of it is safe and changes nothing, and
 * the response says that a retry can help.
 */
export function withTimeout(handler: Handler): Handler {
  return async (event, context) => {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<CodedResponse>((resolve) => {
      timer = setTimeout(
        () => {
          const cause = new Error('the function ran out of time');
          resolve(errorResponse(new ServiceUnavailableError({ cause }), event, context));
        },
        Math.max(0, context.getRemainingTimeInMillis() - RESERVED_MS),
      );
    });
    try {
      return await Promise.race([handler(event, context), timeout]);
    } finally {
      clearTimeout(timer);
    }
  };
}
