import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { type CodedResponse, errorResponse } from '../http/envelope.ts';
import { ServiceUnavailableError } from '../http/errors.ts';

type Handler = (event: APIGatewayProxyEvent, context: Context) => Promise<CodedResponse>;

const RESERVED_MS = 500;

/**
 * Switches off middy's early timeout: it does not cover middlewares, and ours fetch keys and read
 * the client.
 */
export const NO_EARLY_TIMEOUT = { timeoutEarlyInMillis: 0 };

/**
 * Responds in our own envelope shortly before Lambda would end the function and the gateway would
 * respond in its place. Work that is still in flight may succeed later. The response says that a
 * retry can help, and a retry of work that succeeded changes nothing.
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
