import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { CONFIG_VERSION, EXPOSED_HEADERS } from '../http/request-headers.ts';

type Handler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** The value of `CORS_ORIGINS` that hides responses from the pages of all other origins. */
export const NO_ORIGINS = 'none';
/** The value of `CORS_ORIGINS` that shows responses to the pages of all origins. */
export const ANY_ORIGIN = '*';

/**
 * Adds CORS headers to every response of a handler. Without them a browser hides responses from
 * pages of other origins, errors too (https://fetch.spec.whatwg.org/#http-cors-protocol). The
 * gateway answers preflight requests.
 *
 * @param setting origins separated by commas, or `NO_ORIGINS` or `ANY_ORIGIN`.
 */
export function withCors(setting: string, handler: Handler): Handler {
  if (setting === NO_ORIGINS) return handler;
  const origins = setting.split(',');
  return async (event, context) => {
    const response = await handler(event, context);
    const { headers: own = {} } = response;
    const exposed = [...EXPOSED_HEADERS, ...(CONFIG_VERSION in own ? [CONFIG_VERSION] : [])];
    const headers = { ...own, ...corsHeaders(origins, originOf(event), exposed) };
    return { ...response, headers };
  };
}

function corsHeaders(
  origins: readonly string[],
  origin: string | undefined,
  names: readonly string[],
) {
  const exposed = { 'Access-Control-Expose-Headers': names.join(',') };
  if (origins.includes(ANY_ORIGIN))
    return { 'Access-Control-Allow-Origin': ANY_ORIGIN, ...exposed };
  return {
    ...(origin &&
      origins.includes(origin) && { 'Access-Control-Allow-Origin': origin, ...exposed }),
    // A cache must not give this response to another origin.
    Vary: 'Origin',
  };
}

function originOf({ headers }: APIGatewayProxyEvent): string | undefined {
  // Names are spelled as sent: in lower case with HTTP/2.
  return Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === 'origin')?.[1];
}
