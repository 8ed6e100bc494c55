import { type IncomingHttpHeaders, type RequestOptions, request } from 'node:http';
import { connect } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { FAULTS, type Fault } from '../../../local/fault-switch.ts';
import { createGateway } from '../../../local/gateway.ts';
import type { LambdaFunction } from '../../../local/lambda-function.ts';
import { close, listen } from '../../../local/listen.ts';
import type { GatewayResponse, RestApi } from '../../../local/rest-api.ts';

const TYPES = {
  DEFAULT_4XX: 400,
  DEFAULT_5XX: 500,
  REQUEST_TOO_LARGE: 413,
  MISSING_AUTHENTICATION_TOKEN: 404,
};
const responses = new Map<string, GatewayResponse>(
  Object.entries(TYPES).map(([type, statusCode]) => [
    type,
    { statusCode, headers: { 'X-Static': type }, body: `"${type}"` },
  ]),
);
const api: RestApi = {
  gatewayResponses: responses,
  routes: [
    { method: 'POST', path: '/one', functionLogicalId: 'One', throttle: undefined },
    { method: 'POST', path: '/other', functionLogicalId: 'Other', throttle: undefined },
  ],
  mockMethods: [
    {
      method: 'ANY',
      path: '/other',
      mediaTypes: ['application/json'],
      response: { statusCode: 405, headers: { Allow: 'POST' }, body: '"other method"' },
    },
  ],
};

const one = vi.fn<(event: APIGatewayProxyEvent) => Promise<object>>();
const other = vi.fn<(event: APIGatewayProxyEvent) => Promise<object>>();
const functions = new Map(
  Object.entries({ One: one, Other: other }).map(([id, invoke]) => [
    id,
    { invoke } as unknown as LambdaFunction,
  ]),
);
const faults: { fault: Fault } = { fault: 'none' };
const gateway = createGateway(api, functions, { faults });
let port: number;
beforeAll(async () => {
  port = Number(new URL(await listen(gateway)).port);
});
afterEach(() => {
  vi.resetAllMocks();
  vi.useRealTimers();
  faults.fault = 'none';
});
afterAll(() => close(gateway));

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

function post(path: string, body: string | Buffer = '', options: RequestOptions = {}) {
  return new Promise<Answer>((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, method: 'POST', ...options }, (response) => {
      const { statusCode: status, headers } = response;
      buffer(response).then(
        (bytes) => resolve({ status, headers, body: bytes.toString() }),
        reject,
      );
    })
      .on('error', reject)
      .end(body);
  });
}

test('the function of the route receives the request in the form of API Gateway', async () => {
  other.mockResolvedValue({ statusCode: 201, headers: { 'X-Own': 'yes' }, body: '"done"' });
  const { status, headers, body } = await post('/other?a=1&b=2&a=3', '{"é":1}', {
    headers: { 'App-Id': ['first', 'last'], 'x-One': 'value' },
  });
  expect({ status, body }).toEqual({ status: 201, body: '"done"' });
  expect(headers).toMatchObject({ 'x-own': 'yes', 'content-type': 'application/json' });
  expect(one).not.toHaveBeenCalled();
  expect(other).toHaveBeenCalledExactlyOnceWith({
    resource: '/other',
    path: '/other',
    httpMethod: 'POST',
    headers: expect.objectContaining({ 'App-Id': 'last', 'x-One': 'value' }),
    multiValueHeaders: expect.objectContaining({ 'App-Id': ['first', 'last'], 'x-One': ['value'] }),
    queryStringParameters: { a: '3', b: '2' },
    multiValueQueryStringParameters: { a: ['1', '3'], b: ['2'] },
    pathParameters: null,
    stageVariables: null,
    requestContext: { requestId: headers['x-amzn-requestid'] },
    body: '{"é":1}',
    isBase64Encoded: false,
  });
});

test('the function responds to a request with an expectation that the server does not know', async () => {
  one.mockResolvedValue({ statusCode: 200, body: '"done"' });
  const answer = await post('/one', '{}', { headers: { Expect: 'nothing' } });
  expect(answer).toMatchObject({ status: 200, body: '"done"' });
});

describe('a fault of the gateway', () => {
  test('throttle answers every request of a route with 429, without its function', async () => {
    responses.set('THROTTLED', { statusCode: 429, headers: {}, body: '"throttled"' });
    faults.fault = 'throttle';
    expect(await post('/one')).toMatchObject({ status: 429, body: '"throttled"' });
    // Requests that the gateway would refuse for their size, too: it counts them first.
    expect((await post('/one', Buffer.alloc(10 * 1024 * 1024 + 1, 'x'))).status).toBe(429);
    expect(await post('/nothing')).toMatchObject({ status: 404 });
    expect(one).not.toHaveBeenCalled();
    responses.delete('THROTTLED');
  });

  test('slow answers 28 seconds after the function', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    faults.fault = 'slow';
    one.mockResolvedValue({ statusCode: 200, body: '"done"' });
    const answered = vi.fn();
    const answer = post('/one').then(answered);
    while (vi.getTimerCount() === 0) await new Promise(setImmediate);
    expect(one).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(27_999);
    await new Promise(setImmediate);
    expect(answered).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await answer;
    expect(FAULTS.slow).toContain('28 seconds later');
    expect(answered.mock.lastCall?.[0]).toMatchObject({ status: 200, body: '"done"' });
  });
});

test('a route with limits takes a burst at once, and after that so many requests per second', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 0 });
  const throttle = { requestsPerSecond: 4, burst: 2 };
  const routes = api.routes.map((route) => ({ ...route, throttle }));
  const own = createGateway({ ...api, routes }, functions, { throttles: true });
  const ownPort = Number(new URL(await listen(own)).port);
  one.mockResolvedValue({ statusCode: 200, body: '' });
  const statusesAt = async (milliseconds: number, count: number) => {
    vi.setSystemTime(milliseconds);
    const all = Array.from({ length: count }, () => post('/one', '', { port: ownPort }));
    return (await Promise.all(all)).map(({ status }) => status).sort();
  };
  // The template of this gateway has no response of its own for it.
  expect(await statusesAt(0, 3)).toEqual([200, 200, 400]);
  expect(await statusesAt(249, 1)).toEqual([400]);
  expect(await statusesAt(250, 1)).toEqual([200]);
  await close(own);
});

test('a method that has a mock of its own is not answered by the one for any method', async () => {
  const mock = { path: '/one', mediaTypes: undefined };
  const response = (statusCode: number) => ({ statusCode, headers: {}, body: '' });
  const own = createGateway(
    {
      ...{ gatewayResponses: responses, routes: [] },
      mockMethods: [
        { ...mock, method: 'OPTIONS', response: response(204) },
        { ...mock, method: 'ANY', response: response(405) },
      ],
    },
    functions,
  );
  const url = `${await listen(own)}/one`;
  expect((await fetch(url, { method: 'OPTIONS' })).status).toBe(204);
  expect((await fetch(url)).status).toBe(405);
  await close(own);
});

test('a request for which the template has no response is cut off', async () => {
  const none = createGateway(
    { gatewayResponses: new Map(), routes: [], mockMethods: [] },
    functions,
  );
  await expect(fetch(await listen(none))).rejects.toThrow('fetch failed');
  await close(none);
});

describe('the gateway itself responds', () => {
  const MAX_BYTES = 10 * 1024 * 1024;

  test('to a body of more than 10 MB', async () => {
    one.mockResolvedValue({ statusCode: 200, body: '' });
    expect((await post('/one', Buffer.alloc(MAX_BYTES, 'x'))).status).toBe(200);
    expect(one.mock.lastCall?.[0].body).toHaveLength(MAX_BYTES);
    one.mockClear();
    const refused = await post('/one', Buffer.alloc(MAX_BYTES + 1, 'x'));
    expect(refused).toMatchObject({ status: 413, body: '"REQUEST_TOO_LARGE"' });
    expect(one).not.toHaveBeenCalled();
  });

  test('to headers of 10,240 bytes', async () => {
    one.mockResolvedValue({ statusCode: 200, body: '' });
    /** Sends a request with so many bytes, as Node counts them: in the path, and in names and values of headers. */
    const send = (bytes: number) => {
      const value = 'y'.repeat(bytes - '/one'.length - 'Connection'.length - 'close'.length - 1);
      const socket = connect(port, '127.0.0.1');
      socket.write(`POST /one HTTP/1.1\r\nConnection: close\r\nx: ${value}\r\n\r\n`);
      return text(socket);
    };
    expect(await send(10_239)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(await send(10_240)).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n[\s\S]*"DEFAULT_4XX"$/);
  });

  test('when the function fails, with its own type or the default', async () => {
    one.mockRejectedValue(new Error('secret'));
    expect(await post('/one')).toMatchObject({ status: 500, body: '"DEFAULT_5XX"' });
    responses.set('INTEGRATION_FAILURE', { statusCode: 502, headers: {}, body: '"failed"' });
    expect(await post('/one')).toMatchObject({ status: 502, body: '"failed"' });
    responses.delete('INTEGRATION_FAILURE');
  });

  test.each([
    ['/', 'POST'],
    ['/one/', 'POST'],
    ['/one', 'GET'],
    ['/One', 'POST'],
  ])('to an unknown route: %s %s', async (path, method) => {
    expect((await post(path, '', { method })).status).toBe(404);
  });

  test.each(['GET', 'PUT', 'OPTIONS', 'PROPFIND'])('to a mocked method: %s', async (method) => {
    const { status, headers, body } = await post('/other', '', { method });
    expect({ status, body }).toEqual({ status: 405, body: '"other method"' });
    expect(headers).toMatchObject({ allow: 'POST', 'content-type': 'application/json' });
    expect(other).not.toHaveBeenCalled();
  });

  test('to a media type for which a mock has no template, with its own type or the default', async () => {
    const sent = (type: string) =>
      post('/other', '<x/>', { method: 'PUT', headers: { 'Content-Type': type } });
    expect((await sent('Application/JSON; charset=utf-8')).status).toBe(405);
    expect(await sent('text/plain')).toMatchObject({ status: 400, body: '"DEFAULT_4XX"' });
    responses.set('UNSUPPORTED_MEDIA_TYPE', { statusCode: 415, headers: {}, body: '"type"' });
    expect(await sent('text/plain')).toMatchObject({ status: 415, body: '"type"' });
    responses.delete('UNSUPPORTED_MEDIA_TYPE');
  });

  test('to CONNECT and to requests that are not HTTP, and then closes the connection', async () => {
    for (const [sent, status] of [
      ['CONNECT /one HTTP/1.1\r\n\r\n', '404 Not Found'],
      ['nonsense\r\n\r\n', '400 Bad Request'],
    ] as const) {
      const socket = connect(port, '127.0.0.1');
      socket.write(sent);
      const answer = await text(socket);
      const [head = '', body = ''] = answer.split('\r\n\r\n');
      expect(head.split('\r\n')).toEqual([
        `HTTP/1.1 ${status}`,
        'Content-Type: application/json',
        expect.stringMatching(/^Date: .* GMT$/),
        `X-Static: ${status.startsWith('404') ? 'MISSING_AUTHENTICATION_TOKEN' : 'DEFAULT_4XX'}`,
        `Content-Length: ${body.length}`,
        'Connection: close',
      ]);
    }
  });
});
