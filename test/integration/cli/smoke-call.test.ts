import { AssertionError } from 'node:assert';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { call } from '../../../cli/smoke/api.ts';
import { close, listen } from '../../../local/listen.ts';

/* The call that all checks of smoke make, against a server that answers one thing. */

const PATH = '/customerData/getConfig';
const MESSAGE = 'Some reason.';

let server: Server;
let url: string;
let headers: IncomingHttpHeaders;
let response: { status: number; body: string; location?: string; sendDate?: false };
beforeAll(async () => {
  server = createServer((request, outgoing) => {
    headers = request.headers;
    const isFollowed = request.url === '/followed';
    const { status, body, location, sendDate = true } = isFollowed ? RIGHT : response;
    outgoing.sendDate = sendDate;
    outgoing.writeHead(status, { 'x-amzn-requestid': 'id-1', ...(location && { location }) });
    outgoing.end(body);
  });
  url = await listen(server);
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => close(server));

function refusal(
  status: number,
  { statusCode = status, errors = [{ code: 'X', message: MESSAGE }] } = {},
) {
  const data = { message: MESSAGE, code: 'X', statusCode, retryable: false };
  return { status, body: JSON.stringify({ errors, warnings: [], notices: [], data }) };
}

const RIGHT: typeof response = {
  status: 200,
  body: JSON.stringify({
    ...{ errors: [], warnings: [], notices: [] },
    data: { fields: [], lastFieldId: 0 },
  }),
};

const send = (more: Record<string, string | null> = {}) =>
  call(url, PATH, { 'App-Id': 'key', 'Device-Id': 'device' }, { headers: more, body: {} });

test('a right response is returned', async () => {
  response = RIGHT;
  expect(await send()).toEqual({
    status: 200,
    headers: expect.any(Headers),
    body: JSON.parse(RIGHT.body),
  });
  response = refusal(400);
  expect((await send()).status).toBe(400);
});

test.each<[string, () => typeof response, RegExp]>([
  ['that is not JSON', () => ({ status: 200, body: '<html>' }), /^the response is not JSON\n/],
  [
    'that is not described',
    () => ({ status: 200, body: '{}' }),
    /does not describe the response: /,
  ],
  [
    'with another statusCode',
    () => refusal(400, { statusCode: 500 }),
    /^data\.statusCode is 500\n/,
  ],
  ['without its date', () => ({ ...RIGHT, sendDate: false }), /^the response has no header Date\n/],
  ['that redirects', () => ({ ...RIGHT, status: 302, location: `${url}/followed` }), /302/],
])('a response %s is refused, with the id of the request', async (_, wrong, expected) => {
  response = wrong();
  const sending = send();
  await expect(sending).rejects.toThrow(expected);
  await expect(sending).rejects.toThrow(`Response to request id-1: ${response.status} `);
  await expect(sending).rejects.toBeInstanceOf(AssertionError);
});

test('of a long response, the first 500 characters are shown', async () => {
  response = { status: 200, body: 'x'.repeat(1000) };
  await expect(send()).rejects.toThrow(/ 200 x{500}$/);
});

test('headers replace those of a good request, and null leaves one out', async () => {
  response = RIGHT;
  await send({ 'App-Id': 'other', 'Device-Id': null, 'X-More': 'more' });
  expect(headers).toMatchObject({ 'app-id': 'other', 'x-more': 'more' });
  expect(headers).not.toHaveProperty('device-id');
  expect(headers).not.toHaveProperty('content-type');
});

test('a response is awaited for 30 seconds', async () => {
  response = RIGHT;
  const timeout = vi.spyOn(AbortSignal, 'timeout');
  await send();
  expect(timeout.mock.calls).toEqual([[30_000]]);
});
