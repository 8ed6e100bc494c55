import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { OPERATIONS } from '../../../functions/operations.ts';
import { signIdToken } from '../../../local/cognito/id-token.ts';
import { responseDeviations } from '../../../openapi/validation.ts';
import { PROMO_REQUEST, type Service, startService } from '../../support/service.ts';

/*
 * What the gateway answers itself, in the same envelope: paths, methods, sizes, floods, and what
 * HTTP has at its edges.
 */

const service = await startService();
afterAll(() => service.stop());
await service.warmUp();

const codeOf = ({ status, body }: Awaited<ReturnType<Service['call']>>) =>
  `${status} ${body.data.code}`;

test.each(OPERATIONS)('$path has no other method than POST', async ({ path }) => {
  for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
    for (const type of ['application/json', 'text/plain', undefined]) {
      const answer = await service.call(path, { method, headers: { 'Content-Type': type } });
      expect(codeOf(answer)).toBe('405 MethodNotAllowedException');
      expect(answer.headers.allow).toBe('POST');
    }
  }
});

test.each([
  ...['POST /', 'GET /customData', 'POST /promoCode', 'POST /promoCode/apply/x', 'POST //'],
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
const GOOD = 'POST /customData/getConfig HTTP/1.1';

/** The first lines of a request, in which TOKEN stands for a good one. */
test.each<[name: string, lines: string, expected: string]>([
  ['a request', `${GOOD}\r\nAuthorization: Bearer TOKEN`, '200'],
  ['nonsense', 'nonsense', INVALID],
  ['headers of 11 KB', `POST / HTTP/1.1\r\nx: ${'y'.repeat(11_000)}`, INVALID],
  ['CONNECT', 'CONNECT /promoCode/apply HTTP/1.1', '404 ResourceNotFoundException'],
  ['no Authorization', GOOD, '401 Unauthorized'],
  ['a folded header', `${GOOD}\r\nAuthorization: Bearer\r\n TOKEN`, INVALID],
  ['a bare line feed', `${GOOD}\r\nX: y\nAuthorization: Bearer TOKEN`, INVALID],
  ['a space before the colon', `${GOOD}\r\nAuthorization : Bearer TOKEN`, INVALID],
  ['a NUL in a header', `${GOOD}\r\nAuthorization: Bearer \0TOKEN`, INVALID],
  [
    'two spellings of a header',
    `${GOOD}\r\nAuthorization: Bearer TOKEN\r\nauthorization: Bearer TOKEN`,
    '401 Unauthorized',
  ],
])('on the wire, %s is answered in the envelope', async (_, lines, expected) => {
  const calls = service.databaseCalls.length;
  const socket = connect(Number(new URL(service.outputs.ApiUrl).port), '127.0.0.1');
  const body = '{"clientId":"demo"}';
  const sent = Object.entries({
    ...{ Connection: 'close', 'Content-Type': 'application/json', 'Content-Length': body.length },
    ...{ 'App-Id': 'demo-app-key', 'Device-Id': '0', 'Request-Date': new Date().toISOString() },
  });
  const first = lines.replaceAll('TOKEN', await signIdToken(service.issuer));
  const head = [first, ...sent.map(([name, value]) => `${name}: ${value}`)];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  const answer = await text(socket);
  const json = answer.slice(answer.indexOf('{"errors"')).split('\r\n')[0] ?? '';
  const { data } = JSON.parse(json);
  const status = Number(answer.split(' ')[1]);
  expect([status, data.code].filter(Boolean).join(' ')).toBe(expected);
  // RFC 9110 section 5.6.7
  expect(answer).toMatch(/^Date: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/m);
  expect(responseDeviations('/customData/getConfig', status, JSON.parse(json))).toEqual([]);
  if (status !== 200) expect(service.databaseCalls.length).toBe(calls);
});

test('a flood of getConfig from one tenant is refused, and others can still apply promo codes', async () => {
  const [BURST, FLOOD] = [20, 60];
  const limits = { requestsPerSecond: 0.001, burst: BURST };
  await using limited = await startService({ throttle: limits });
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
