import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { errorResponse } from './envelope.ts';
import { ServiceUnavailableError } from './errors.ts';

type Handler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

const RESERVED_MS = 500;

/** For middy, whose own early timeout leaves out the middlewares, which fetch keys and read the client: this one does not. */
export const NO_EARLY_TIMEOUT = { timeoutEarlyInMillis: 0 };

/**
 * Answers in our own envelope shortly before Lambda would end the function and the gateway would answer for it. What
 * runs on may still succeed; the answer says that a retry can help, and a retry changes nothing then.
 */
export function withTimeout(handler: Handler): Handler {
  return async (event, context) => {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<APIGatewayProxyResult>((resolve) => {
      timer = setTimeout(
        () => {
          const cause = new Error('the request ran out of time');
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
