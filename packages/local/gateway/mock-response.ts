import type { IncomingHttpHeaders } from 'node:http';
import { render } from 'velocityjs';
import type { GatewayResponse, MockMethod } from './template-rest-api.ts';

/**
 * Answers as a MOCK integration does: renders its mapping template, which can read request headers
 * and set response headers. Returns undefined if there is no template for the media type.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-mapping-template-reference.html
 */
export function mockResponse(
  { mediaTypes, response }: MockMethod,
  headers: IncomingHttpHeaders,
): GatewayResponse | undefined {
  // API Gateway reads a request without Content-Type as JSON.
  const { 'content-type': contentType = 'application/json' } = headers;
  const mediaType = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  if (mediaTypes && !mediaTypes.includes(mediaType)) return undefined;
  const override = { header: {} as Record<string, string> };
  const body = render(response.body, {
    input: {
      params: () => ({ header: { get: (name: string) => headers[name.toLowerCase()] ?? '' } }),
    },
    context: { responseOverride: override },
  });
  return { ...response, headers: { ...response.headers, ...override.header }, body };
}
