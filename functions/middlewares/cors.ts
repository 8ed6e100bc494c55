import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { EXPOSED_HEADERS } from '../http/request-headers.ts';

/** The Lambda handler of an HTTP operation. */
type Handler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** The value of `CORS_ORIGINS` if no page of another origin may read responses. */
export const NO_ORIGINS = 'none';
/** The value of `CORS_ORIGINS` if the pages of all origins may. */
export const ANY_ORIGIN = '*';

/**
 * Lets pages of other origins read every response of a handler: without these headers a browser
 * hides a response, and its errors too (https://fetch.spec.whatwg.org/#http-cors-protocol). The
 * gateway answers the preflights.
 *
 * @param setting the origins, separated by commas, or `NO_ORIGINS` or `ANY_ORIGIN`.
 */
export function withCors(setting: string, handler: Handler): Handler {
  if (setting === NO_ORIGINS) return handler;
  const origins = setting.split(',');
  return async (event, context) => {
    const response = await handler(event, context);
    const headers = { ...response.headers, ...corsHeaders(origins, originOf(event)) };
    return { ...response, headers };
  };
}

function corsHeaders(origins: readonly string[], origin: string | undefined) {
  const exposed = { 'Access-Control-Expose-Headers': EXPOSED_HEADERS.join(',') };
  if (origins.includes(ANY_ORIGIN))
    return { 'Access-Control-Allow-Origin': ANY_ORIGIN, ...exposed };
  return {
    ...(origin &&
      origins.includes(origin) && { 'Access-Control-Allow-Origin': origin, ...exposed }),
    // A cache must not give a response to another origin.
    Vary: 'Origin',
  };
}

function originOf({ headers }: APIGatewayProxyEvent): string | undefined {
  // The names are spelled as they were sent: in lower case with HTTP/2.
  return Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === 'origin')?.[1];
}
