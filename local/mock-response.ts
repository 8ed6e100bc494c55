import type { IncomingHttpHeaders } from 'node:http';
import type { GatewayResponse, MockMethod } from './template.ts';

/**
 * Answers a request as a MOCK integration does.
 *
 * @returns undefined if the method has no template for the media type of the request.
 */
export function mockResponse(
  { mediaTypes, response }: MockMethod,
  headers: IncomingHttpHeaders,
): GatewayResponse | undefined {
  // API Gateway takes a request without Content-Type for JSON.
  const { 'content-type': contentType = 'application/json' } = headers;
  const mediaType = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  return !mediaTypes || mediaTypes.includes(mediaType) ? response : undefined;
}
