import type { Operation } from '../candidates/candidate.ts';
import { APP_ID } from './client-record.ts';

/**
 * The event that API Gateway sends to the function of an operation.
 *
 * @param body the request body, before it is serialised.
 */
export function apiGatewayEvent(
  operation: Operation,
  idToken: string,
  body: object,
  language?: string,
): object {
  const path = operation === 'get-config' ? '/customData/getConfig' : '/promoCode/apply';
  const headers: Record<string, string> = {
    accept: '*/*',
    ...(language && { 'accept-language': language }),
    'app-id': APP_ID,
    authorization: `Bearer ${idToken}`,
    'content-type': 'application/json',
    'device-id': '38400000-8cf0-11bd-b23e-10b96e40000d',
    host: 'example.execute-api.us-east-1.amazonaws.com',
    'request-date': new Date().toISOString(),
    'user-agent': 'demo/1.0',
  };
  return {
    resource: path,
    path,
    httpMethod: 'POST',
    headers,
    multiValueHeaders: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, [value]]),
    ),
    queryStringParameters: null,
    multiValueQueryStringParameters: null,
    pathParameters: null,
    stageVariables: null,
    requestContext: {
      requestId: '00000000-0000-0000-0000-000000000000',
      httpMethod: 'POST',
      path,
      resourcePath: path,
      protocol: 'HTTP/1.1',
      stage: 'bench',
      identity: { sourceIp: '127.0.0.1', userAgent: 'demo/1.0' },
    },
    body: JSON.stringify(body),
    isBase64Encoded: false,
  };
}
