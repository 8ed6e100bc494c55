import { randomUUID } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Duplex } from 'node:stream';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { MAX_HEADER_BYTES, TokenBucket } from 'customer-data-api/operations';
import type { Fault, FaultSwitch } from '../fault-switch.ts';
import type { LambdaFunction } from '../lambda/lambda-function.ts';
import { mockResponse } from './mock-response.ts';
import { readPayload } from './payload.ts';
import type { GatewayResponse, RestApi } from './template-rest-api.ts';

/** The longest wait of an app: just below the time after which API Gateway answers by itself. */
const SLOW_RESPONSE_MS = 28_000;

/** The answer of a hotel's network before a guest has signed in. */
const CAPTIVE_PORTAL = {
  statusCode: 200,
  headers: { 'Content-Type': 'text/html', 'Access-Control-Allow-Origin': '*' },
  body: '<!doctype html><title>Sign in to this network</title>',
};

interface GatewayOptions {
  /** True to apply the template's limits to routes; a number is the requests per second of each. */
  readonly throttle?: boolean | number | undefined;
  readonly faults?: Pick<FaultSwitch, 'fault'>;
}

/** Serves a REST API over HTTP: routes by functions, everything else by gateway responses. */
export function createGateway(
  api: RestApi,
  functions: ReadonlyMap<string, LambdaFunction>,
  { throttle = false, faults = { fault: 'none' } }: GatewayOptions = {},
): Server {
  const routes = new Map(
    api.routes.map((route) => {
      const limit =
        typeof throttle === 'number'
          ? { burst: throttle, requestsPerSecond: throttle }
          : throttle && route.throttle;
      // https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-request-throttling.html
      const bucket = limit
        ? new TokenBucket(limit.burst, 1000 / limit.requestsPerSecond)
        : undefined;
      return [`${route.method} ${route.path}`, { ...route, bucket }];
    }),
  );
  const mockMethods = new Map(api.mockMethods.map((mock) => [`${mock.method} ${mock.path}`, mock]));

  const gatewayResponse = (
    type: string,
    fallback: 'DEFAULT_4XX' | 'DEFAULT_5XX',
  ): GatewayResponse => {
    const response = api.gatewayResponses.get(type) ?? api.gatewayResponses.get(fallback);
    if (!response) throw new Error(`The template has no gateway response ${fallback}.`);
    return response;
  };

  /** The response to a request that the fault keeps from its function. */
  function responseOf(fault: Fault): GatewayResponse | undefined {
    switch (fault) {
      case 'throttle':
        return gatewayResponse('THROTTLED', 'DEFAULT_4XX');
      case 'firewall':
        return gatewayResponse('WAF_FILTERED', 'DEFAULT_4XX');
      case 'internal-error':
        return gatewayResponse('INTEGRATION_FAILURE', 'DEFAULT_5XX');
      case 'captive-portal':
        return CAPTIVE_PORTAL;
      default:
        return undefined;
    }
  }

  async function respond(request: IncomingMessage, id: string): Promise<APIGatewayProxyResult> {
    const path = routedPath(request.url ?? '');
    const body = await readPayload(request);
    // API Gateway decompresses first: before it knows the path, or even the API.
    if (body === 'UNSUPPORTED_MEDIA_TYPE') return gatewayResponse(body, 'DEFAULT_4XX');
    const route = routes.get(`${request.method} ${path}`);
    if (!route) {
      const mock = mockMethods.get(`${request.method} ${path}`) ?? mockMethods.get(`ANY ${path}`);
      if (!mock) return gatewayResponse('MISSING_AUTHENTICATION_TOKEN', 'DEFAULT_4XX');
      const response = mockResponse(mock, request.headers);
      return response ?? gatewayResponse('UNSUPPORTED_MEDIA_TYPE', 'DEFAULT_4XX');
    }
    const broken = responseOf(faults.fault);
    if (broken) return broken;
    if (route.bucket?.take() === false) return gatewayResponse('THROTTLED', 'DEFAULT_4XX');
    if (body === 'REQUEST_TOO_LARGE') return gatewayResponse(body, 'DEFAULT_4XX');
    try {
      const event = proxyEvent(request, id, path, body);
      const lambdaFunction = functions.get(route.functionLogicalId);
      const response = (await lambdaFunction?.invoke(event)) as APIGatewayProxyResult;
      if (faults.fault === 'slow') await delay(SLOW_RESPONSE_MS);
      if (faults.fault === 'lost-response') request.socket.destroy();
      return response;
    } catch {
      return gatewayResponse('INTEGRATION_FAILURE', 'DEFAULT_5XX');
    }
  }

  const listener: RequestListener = async (request, response) => {
    const id = randomUUID();
    try {
      send(response, id, await respond(request, id));
    } catch {
      response.destroy();
    }
  };
  const server = createServer(
    { maxHeaderSize: MAX_HEADER_BYTES, requireHostHeader: false },
    listener,
  );
  server.on('checkExpectation', listener);
  // API Gateway answers malformed HTTP, for which Node creates no request.
  server.on('clientError', (_error, socket) => {
    if (socket.writable) writeTo(socket, gatewayResponse('BAD_REQUEST', 'DEFAULT_4XX'));
  });
  server.on('connect', (_request, socket) => {
    writeTo(socket, gatewayResponse('MISSING_AUTHENTICATION_TOKEN', 'DEFAULT_4XX'));
  });
  return server;
}

/** Responds on a socket for which Node has no response object. */
function writeTo(socket: Duplex, { statusCode, headers, body }: GatewayResponse): void {
  const head = [
    `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}`,
    `Date: ${new Date().toUTCString()}`,
    ...Object.entries({ 'Content-Type': 'application/json', ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    ),
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

function send(
  response: ServerResponse,
  id: string,
  { statusCode, headers, body }: APIGatewayProxyResult,
): void {
  response
    .writeHead(statusCode, {
      'Content-Type': 'application/json',
      'x-amzn-RequestId': id,
      ...(headers as Record<string, string> | undefined),
    })
    .end(body);
}

/**
 * Returns the path by which a request is routed. API Gateway ignores slashes at its end, and all
 * but one at its start: they separate it from the stage.
 */
function routedPath(url: string): string {
  const [path = ''] = url.split('?', 1);
  return path.replace(/^\/+/, '/').replace(/(?<![/])\/+$/, '');
}

/** Waits, without keeping the process alive. */
function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref();
  });
}

/**
 * Makes the event of a request, without its query, which no function reads.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html
 */
function proxyEvent(request: IncomingMessage, requestId: string, path: string, body: Buffer) {
  const multiValueHeaders = headersOf(request);
  return {
    path,
    httpMethod: request.method,
    headers: lastValues(multiValueHeaders),
    multiValueHeaders,
    requestContext: { requestId, requestTimeEpoch: Date.now() },
    // The API declares no binary media types, so the function gets a string.
    body: body.length > 0 ? body.toString('utf8') : null,
    isBase64Encoded: false,
  };
}

/** Returns the values of each header. Names are spelled as sent. */
function headersOf({ rawHeaders }: IncomingMessage): Record<string, string[]> {
  const headers = new Map<string, string[]>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2);
    headers.set(name, [...(headers.get(name) ?? []), value]);
  }
  return Object.fromEntries(headers);
}

function lastValues(multiValueHeaders: Record<string, string[]>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(multiValueHeaders).map(([name, values]) => [name, values.at(-1) ?? '']),
  );
}
