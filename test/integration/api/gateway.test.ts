import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { signIdToken } from 'customer-data-api-deployment/local';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { OPERATIONS } from '../../../functions/operations.ts';
import { exactResponseDeviations } from '../../../openapi/validation.ts';
import { runs } from '../../support/runs.ts';
import { PROMO_REQUEST, type Service, startService } from '../../support/service.ts';

/*
 * What the gateway answers itself, in the same envelope: paths, methods, codings, sizes, floods,
 * and what HTTP has at its edges.
 *
 * API Gateway does this with a request before the function gets it:
 *
 * | API Gateway | the local gateway |
 * | --- | --- |
 * | refuses headers of more than 10,240 bytes | the same; it counts the first line, too |
 * | refuses malformed HTTP | the same, in the envelope; AWS may answer without it |
 * | decompresses gzip and deflate | the same |
 * | refuses other codings | the same, in the envelope; AWS may not know the API yet |
 * | refuses more than 10 MB | the same, also after decompression: not documented |
 * | ignores slashes at the ends of a path | the same; inside, not documented, 404 |
 * | percent-decodes a path, maybe: not documented | no |
 * | reads a body without Content-Type as JSON, for mocks | the same |
 * | replaces bytes that are not UTF-8 with U+FFFD | the same |
 * | throttles a path | with `--throttle`; never the whole account |
 * | gives its own errors the responses of the stack | the same |
 * | TLS, domain, HTTP/2, web ACL | no; `--fault firewall` answers as a web ACL |
 * | adds X-Forwarded-For and others, remaps a few headers | no: no function reads them |
 * | refuses what Lambda does not take, more than 6 MB | no: the function answers 413 from 16 KB |
 * | access logs, traces | no |
 * | authorizers, API keys, validation, caches | the stack has none |
 */

const service = await startService();
afterAll(() => service.stop());
await service.warmUp();

const codeOf = ({ status, body }: Awaited<ReturnType<Service['call']>>) =>
  `${status} ${body.data.code}`;

test.each(OPERATIONS)('$path has no other method than POST', async ({ path }) => {
  for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
    for (const type of ['application/json', 'text/plain; charset=utf-8', undefined]) {
      const answer = await service.call(path, { method, headers: { 'Content-Type': type } });
      expect(codeOf(answer)).toBe('405 MethodNotAllowedException');
      expect(answer.headers.allow).toBe('POST');
    }
    const answer = await service.call(path, { method, headers: { 'Content-Type': 'x/y' } });
    expect(codeOf(answer)).toBe('415 UnsupportedMediaTypeException');
    expect(answer.headers).not.toHaveProperty('allow');
  }
});

const PATHS = OPERATIONS.map(({ path }) => path);

test.each(PATHS)('%s is served with more slashes at its ends', async (path) => {
  for (const variant of [`${path}/`, `/${path}`, `//${path}//`]) {
    expect((await service.call(variant)).status).toBe(400);
    expect(codeOf(await service.call(variant, { method: 'PUT' }))).toContain('405');
  }
});

const COMPRESSIONS = { gzip: gzipSync, deflate: deflateSync, identity: (body: string) => body };

test('a compressed body gets the response of the plain one', async () => {
  const body = fc.oneof(fc.constant('{"clientId":"demo"}'), fc.json(), fc.string());
  const coding = fc
    .constantFrom(...Object.entries(COMPRESSIONS))
    .chain(([name, compress]) => fc.tuple(fc.mixedCase(fc.constant(name)), fc.constant(compress)));
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...PATHS),
      body,
      coding,
      async (path, plain, [name, compress]) => {
        const { status, body: expected } = await service.call(path, { body: plain });
        const answer = await service.call(path, {
          headers: { 'Content-Encoding': name },
          body: compress(plain),
        });
        expect([answer.status, answer.body]).toEqual([status, expected]);
      },
    ),
    { numRuns: runs(50) },
  );
});

test.each<[what: string, coding: string | string[], body: string | Buffer, expected: string]>([
  ['plain', 'gzip', '{}', '415'],
  ['plain', 'UTF-8', '{}', '415'],
  ['brotli', 'br', brotliCompressSync('{}'), '415'],
  ['gzip', 'deflate', gzipSync('{}'), '415'],
  ['raw deflate', 'deflate', deflateRawSync('{}'), '415'],
  ['a part of gzip', 'gzip', gzipSync('{"clientId":"demo"}').subarray(0, 30), '415'],
  ['gzip twice', ['gzip', 'gzip'], gzipSync(gzipSync('{}')), '415'],
  ['20 KB in gzip', 'gzip', gzipSync('x'.repeat(20_000)), '413'],
  ['20 MB in gzip', 'gzip', gzipSync(Buffer.alloc(20e6)), '413'],
])('a body that is %s, with the coding %s, is refused', async (_, coding, body, expected) => {
  for (const path of PATHS) {
    const headers = { 'Content-Encoding': coding };
    expect(codeOf(await service.call(path, { headers, body }))).toContain(expected);
  }
  if (expected === '415') {
    const call = { method: 'PUT', headers: { 'Content-Encoding': coding }, body };
    expect(codeOf(await service.call('/promoCode/apply', call))).toContain(expected);
  }
});

test.each([
  'POST /',
  'POST /promoCode',
  'POST /promoCode/apply/x',
  'POST /promoCode/%61pply',
  'POST /x/../promoCode/apply',
  'POST /PromoCode/apply',
])('there is no %s', async (line) => {
  const [method = '', path = ''] = line.split(' ');
  expect(codeOf(await service.call(path, { method }))).toBe('404 ResourceNotFoundException');
});

test('a body of more than 10 MB is too large', async () => {
  const answer = await service.getConfig({ body: 'x'.repeat(10 * 1024 * 1024 + 1) });
  expect(codeOf(answer)).toBe('413 PayloadTooLargeException');
});

const INVALID = '400 BadRequestException';
const GOOD = 'POST /customData/getConfig HTTP/1.1';

/** The first lines of a request, in which TOKEN stands for a good one. */
test.each<[name: string, lines: string, expected: string]>([
  ['a request', `${GOOD}\r\nAuthorization: Bearer TOKEN`, '200'],
  ['nonsense', 'nonsense', INVALID],
  ['headers of 11 KB', `POST / HTTP/1.1\r\nx: ${'y'.repeat(11_000)}`, INVALID],
  ['CONNECT', 'CONNECT /promoCode/apply HTTP/1.1', '404 ResourceNotFoundException'],
  ['no Authorization', GOOD, '401 Unauthorized'],
  ['a folded header', `${GOOD}\r\nAuthorization: Bearer\r\n TOKEN`, INVALID],
  ['a space before the colon', `${GOOD}\r\nAuthorization : Bearer TOKEN`, INVALID],
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
    Connection: 'close',
    'Content-Type': 'application/json',
    'Content-Length': body.length,
    'App-Id': 'demo-app-key',
    'Device-Id': '0',
    'Request-Date': new Date().toISOString(),
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
  expect(exactResponseDeviations('/customData/getConfig', status, JSON.parse(json))).toEqual([]);
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
