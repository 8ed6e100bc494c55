import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OPERATIONS } from '../../../functions/operations.ts';
import { signIdToken } from '../../../local/cognito/id-token.ts';
import { expectDescribed } from '../../support/expect-described.ts';
import { PROMO_REQUEST, type Service, startService } from '../../support/service.ts';

/*
 * What the gateway answers itself, in the same envelope: paths, methods, sizes, floods, and what
 * HTTP has at its edges.
 */

let service: Service;
beforeAll(async () => {
  service = await startService();
  await service.warmUp();
});
afterAll(() => service.stop());

const codeOf = ({ status, body }: Awaited<ReturnType<Service['call']>>) =>
  `${status} ${body.data.code}`;

test.each(OPERATIONS.flatMap(({ paths }) => paths))(
  '$path has no other method than POST',
  async ({ path }) => {
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
      for (const type of ['application/json', 'text/plain', undefined]) {
        const answer = await service.call(path, { method, headers: { 'Content-Type': type } });
        expect(codeOf(answer)).toBe('405 MethodNotAllowedException');
        expect(answer.headers.allow).toBe('POST');
      }
    }
  },
);

test.each([
  ...['POST /', 'GET /customerData', 'POST /promoCode', 'POST /promoCode/apply/x', 'POST //'],
  ...['POST /promoCode/%61pply', 'POST /x/../promoCode/apply', 'POST /PromoCode/apply'],
])('there is no %s', async (line) => {
  const [method = '', path = ''] = line.split(' ');
  expect(codeOf(await service.call(path, { method }))).toBe('404 ResourceNotFoundException');
});

test('a body of more than 10 MB is too large', async () => {
  const answer = await service.getConfig({ body: 'x'.repeat(10 * 1024 * 1024 + 1) });
  expect(codeOf(answer)).toBe('413 PayloadTooLargeException');
});

const INVALID = '400 ValidationException';

/** A request in the form in which it is sent. The first line of each is replaced by `lines`. */
test.each<[name: string, lines: (token: string) => string, expected: string]>([
  [
    'a request',
    (token) => `POST /customerData/getConfig HTTP/1.1\r\nAuthorization: ${token}`,
    '200',
  ],
  ['nonsense', () => 'nonsense', INVALID],
  ['headers of 11 KB', () => `POST / HTTP/1.1\r\nx: ${'y'.repeat(11_000)}`, INVALID],
  ['CONNECT', () => 'CONNECT /promoCode/apply HTTP/1.1', '404 ResourceNotFoundException'],
  ['no Authorization', () => 'POST /customerData/getConfig HTTP/1.1', '401 Unauthorized'],
  ...(
    [
      ['a folded header', (token) => `Authorization: ${token.replace(' ', '\r\n ')}`, INVALID],
      ['a bare line feed', (token) => `X: y\nAuthorization: ${token}`, INVALID],
      ['a space before the colon', (token) => `Authorization : ${token}`, INVALID],
      ['a NUL in a header', (token) => `Authorization: ${token.replace(' ', ' \0')}`, INVALID],
      [
        'two spellings of a header',
        (token) => `Authorization: ${token}\r\nauthorization: ${token}`,
        '401 Unauthorized',
      ],
    ] as [string, (token: string) => string, string][]
  ).map(([name, lines, expected]): [string, (token: string) => string, string] => [
    name,
    (token) => `POST /customerData/getConfig HTTP/1.1\r\n${lines(token)}`,
    expected,
  ]),
])('on the wire, %s is answered in the envelope', async (_, lines, expected) => {
  const calls = service.databaseCalls.length;
  const socket = connect(Number(new URL(service.outputs.ApiUrl).port), '127.0.0.1');
  const body = '{"clientId":"demo"}';
  const headers = {
    'Content-Type': 'application/json',
    'App-Id': 'demo-app-key',
    'Device-Id': '0',
  };
  const more = { 'Request-Date': new Date().toISOString(), 'Content-Length': body.length };
  const sent = Object.entries({ Connection: 'close', ...headers, ...more });
  const token = `Bearer ${await signIdToken(service.issuer)}`;
  const head = [lines(token), ...sent.map(([name, value]) => `${name}: ${value}`)];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  const answer = await text(socket);
  const json = answer.slice(answer.indexOf('{"errors"')).split('\r\n')[0] ?? '';
  const { data } = JSON.parse(json);
  const status = Number(answer.split(' ')[1]);
  expect([status, data.code].filter(Boolean).join(' ')).toBe(expected);
  // RFC 9110 section 5.6.7
  expect(answer).toMatch(/^Date: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/m);
  expectDescribed('/customerData/getConfig', status, JSON.parse(json));
  if (status !== 200) expect(service.databaseCalls.length).toBe(calls);
});

test('a flood of getConfig from one tenant is refused, and others can still apply promo codes', async () => {
  const [BURST, FLOOD] = [20, 60];
  const limits = { requestsPerSecond: 0.001, burst: BURST };
  await using limited = await startService({}, undefined, limits);
  const flood = () => Array.from({ length: FLOOD }, () => limited.getConfig());
  const before = flood();
  // In the middle of the flood, from another tenant.
  const application = limited.applyPromoCode({
    headers: { 'App-Id': 'acme-app-key' },
    body: { ...PROMO_REQUEST, clientId: 'acme' },
  });
  const codes = (await Promise.all([...before, ...flood()])).map(codeOf);
  expect(codes.filter((code) => code === '429 ThrottlingException')).toHaveLength(
    2 * FLOOD - BURST,
  );
  expect(codes.filter((code) => code.startsWith('200'))).toHaveLength(BURST);
  expect((await application).status).toBe(200);
  // The flood does not use up the limit of promoCode/apply either.
  expect((await limited.applyPromoCode()).status).toBe(200);
});
