import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HEADERS } from '../../../functions/api/request-headers.ts';
import { OPERATIONS } from '../../../functions/operations.ts';
import { signIdToken } from '../../../local/id-token.ts';
import { close } from '../../../local/listen.ts';
import { expectDescribed } from '../../support/expect-described.ts';
import { PROMO_REQUEST, type Service, startService } from '../../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const messages = (answer: { body: { errors: readonly { message: string }[] } }) =>
  answer.body.errors.map(({ message }) => message);

const NOT_ACCEPTED = ['The token, the App-Id or the clientId was not accepted.'];

describe('401 Unauthorized', () => {
  test.each(Object.values(HEADERS).map(({ name }) => name))(
    'the response names a missing %s',
    async (header) => {
      for (const operation of OPERATIONS) {
        const answer = await service.send(operation, { headers: { [header]: undefined } });
        expect(answer.status).toBe(401);
        expect(answer.body.data).toEqual({
          message: 'Unauthorized',
          code: 'Unauthorized',
          statusCode: 401,
          retryable: false,
        });
        expect(answer.body.errors).toEqual([
          { code: 'Unauthorized', message: `The header ${header} is missing.`, header },
        ]);
      }
    },
  );

  test('the response names all missing headers at once', async () => {
    const answer = await service.getConfig({
      headers: { 'App-Id': undefined, 'Device-Id': undefined, 'Request-Date': '' },
    });
    expect(messages(answer)).toEqual([
      'The header App-Id is missing.',
      'The header Device-Id is missing.',
      'The header Request-Date is missing.',
    ]);
  });

  const DAY = 24 * 60 * 60 * 1000;
  test.each([
    ['Content-Type', 'text/plain'],
    ['Content-Type', 'application/jsonp'],
    ['Authorization', 'Basic ZGVtbzpkZW1v'],
    ['Authorization', 'Bearer'],
    ['Authorization', 'Bearer two words'],
    ['App-Id', 'x'.repeat(129)],
    ['Device-Id', 'x'.repeat(129)],
    ['Request-Date', 'yesterday'],
    ['Request-Date', '2026-11-20T09:30:00+02:00'],
    ['Request-Date', new Date(Date.now() - DAY - 60_000).toISOString()],
    ['Request-Date', new Date(Date.now() + DAY + 60_000).toISOString()],
  ])('a malformed %s (%s) is named', async (header, value) => {
    const answer = await service.getConfig({ headers: { [header]: value } });
    expect(answer.status).toBe(401);
    const message = expect.stringContaining(`The header ${header} is malformed: `);
    expect(answer.body.errors).toEqual([{ code: 'Unauthorized', message, header }]);
  });

  test('a header that is sent twice is refused', async () => {
    const token = await signIdToken(service.issuer);
    for (const [header, values] of Object.entries({
      Authorization: [`Bearer ${token}`, `Bearer ${token}`],
      'App-Id': ['demo-app-key', 'acme-app-key'],
    })) {
      const answer = await service.getConfig({ headers: { [header]: values } });
      expect(answer.status).toBe(401);
      expect(messages(answer)).toEqual([
        `The header ${header} is malformed: it must be sent once.`,
      ]);
    }
  });

  test('the response does not reveal whether the App-Id, the client or the token did not match', async () => {
    const answers = [
      await service.getConfig({ headers: { 'App-Id': 'acme-app-key' } }),
      await service.getConfig({ headers: { 'App-Id': 'wrong' } }),
      await service.getConfig({ body: { clientId: 'unknown' } }),
      await service.getConfig({ token: { claims: { aud: 'another-app-client' } } }),
      await service.applyPromoCode({ headers: { 'App-Id': 'wrong' } }),
      await service.applyPromoCode({ body: { ...PROMO_REQUEST, clientId: 'unknown' } }),
    ];
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(answers[0]?.status).toBe(401);
    expect(answers.flatMap(messages)).toEqual(answers.flatMap(() => NOT_ACCEPTED));
  });
});

test('400 NotAuthorizedException: an expired token, exactly as in the spec', async () => {
  for (const operation of OPERATIONS) {
    for (const expiresInSeconds of [-1, -100_000]) {
      const answer = await service.send(operation, { token: { expiresInSeconds } });
      expect(answer.status).toBe(400);
      expect(answer.body.data).toEqual({
        message: 'Access Token has expired',
        code: 'NotAuthorizedException',
        statusCode: 400,
        retryable: false,
      });
      expect(answer.body.errors).toHaveLength(1);
    }
  }
});

describe('400 ValidationException', () => {
  const EXPECTED = 'send a JSON object with clientId.';
  test.each([
    ['', `The request body is empty; ${EXPECTED}`],
    ['{', `The request body is not JSON; ${EXPECTED}`],
    ['\uFEFF{"clientId":"demo"}', `The request body is not JSON; ${EXPECTED}`],
    ['null', `The request body is not a JSON object; ${EXPECTED}`],
    ['[]', `The request body is not a JSON object; ${EXPECTED}`],
    ['"demo"', `The request body is not a JSON object; ${EXPECTED}`],
    ['['.repeat(8000), `The request body is not JSON; ${EXPECTED}`],
  ])('the response to the body %j names the expected value', async (body, message) => {
    const answer = await service.getConfig({ body });
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toEqual([{ code: 'ValidationException', message, pointer: '' }]);
  });

  test('one response names every field that is missing or invalid', async () => {
    const answer = await service.applyPromoCode({
      body: { clientId: 7, promoCode: '12345678901', userId: '', eventType: ['promo_applied'] },
    });
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toEqual(
      [
        ['clientId must be a string.', '/clientId'],
        ['promoCode must have 1 to 10 characters.', '/promoCode'],
        ['userId must have 1 to 255 characters.', '/userId'],
        ['eventType must be a string.', '/eventType'],
        ['source is required.', '/source'],
      ].map(([message, pointer]) => ({ code: 'ValidationException', message, pointer })),
    );
  });

  test.each([
    ['{"clientId":"demo","__proto__":{}}', '/__proto__'],
    ['{"clientId":"demo","constructor":1}', '/constructor'],
    ['{"clientId":"demo","a/b":[{"~":{"prototype":1}}]}', '/a~1b/0/~0/prototype'],
  ])('a key that is named like a way to the prototype is refused: %s', async (body, pointer) => {
    const answer = await service.getConfig({ body });
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toEqual([expect.objectContaining({ pointer })]);
  });
});

test('403 ForbiddenException: a token of another user is refused and counted in a metric', async () => {
  const { logged } = service.watchLog();
  const answer = await service.applyPromoCode({ token: { user: 'somebody-else' } });
  expect(answer.status).toBe(403);
  expect(answer.body.data).toMatchObject({ code: 'ForbiddenException', retryable: false });
  await logged('"UserBindingRefused":1');
});

test.each(
  OPERATIONS.flatMap(({ paths }) => paths).flatMap(({ path }) =>
    ['GET', 'PUT', 'DELETE', 'OPTIONS'].map((method) => [method, path] as const),
  ),
)('405 MethodNotAllowedException: %s %s', async (method, path) => {
  for (const type of ['application/json', 'text/plain', undefined]) {
    const headers = { ...(type && { 'Content-Type': type }) };
    const response = await fetch(`${service.outputs.ApiUrl}${path}`, { method, headers });
    const body = (await response.json()) as { data: object };
    expectDescribed(path, response.status, body);
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
    expect(body.data).toMatchObject({ code: 'MethodNotAllowedException', retryable: false });
  }
});

test.each([
  ['GET', '/customerData'],
  ['POST', '/'],
  ['POST', '/promoCode'],
  ['POST', '/promoCode/apply/x'],
  ['POST', '//promoCode/apply'],
  ['POST', '/promoCode/%61pply'],
  ['POST', '/x/../promoCode/apply'],
])('404 ResourceNotFoundException: %s %s', async (method, path) => {
  const answer = await service.call(path, { method });
  expect(answer.status).toBe(404);
  expect(answer.body.data).toMatchObject({ code: 'ResourceNotFoundException', retryable: false });
});

describe('413 PayloadTooLargeException', () => {
  const bodyOf = (bytes: number) => {
    const [start, end] = ['{"clientId":"demo","é":"', '"}'];
    return start + 'x'.repeat(bytes - Buffer.byteLength(start + end)) + end;
  };

  test('a body of 16 KB is accepted, one byte more is not', async () => {
    expect((await service.getConfig({ body: bodyOf(16 * 1024) })).status).toBe(200);
    const answer = await service.getConfig({ body: bodyOf(16 * 1024 + 1) });
    expect(answer.status).toBe(413);
    expect(answer.body.data).toMatchObject({ code: 'PayloadTooLargeException', retryable: false });
  });

  test('a body that exceeds the limit of the gateway', async () => {
    const answer = await service.getConfig({ body: 'x'.repeat(10 * 1024 * 1024 + 1) });
    expect(answer.status).toBe(413);
    expect(answer.body.data).toMatchObject({ code: 'PayloadTooLargeException' });
  });
});

/** RFC 9110 section 5.6.7 */
const HTTP_DATE = /^Date: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/m;

test.each([
  ['nonsense', 'nonsense\r\n\r\n', 400, 'ValidationException'],
  [
    'too many headers',
    `POST / HTTP/1.1\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`,
    400,
    'ValidationException',
  ],
  ['CONNECT', 'CONNECT /promoCode/apply HTTP/1.1\r\n\r\n', 404, 'ResourceNotFoundException'],
  ['no Host', 'POST /promoCode/apply HTTP/1.1\r\nConnection: close\r\n\r\n', 401, 'Unauthorized'],
])('what HTTP has at its edges is answered in the envelope: %s', async (_, sent, status, code) => {
  const { port } = new URL(service.outputs.ApiUrl);
  const socket = connect(Number(port), '127.0.0.1');
  socket.write(sent);
  const [head, ...body] = (await text(socket)).split('\r\n\r\n');
  expect(head).toContain(`HTTP/1.1 ${status} `);
  expect(head).toMatch(HTTP_DATE);
  const answer = JSON.parse(
    body.join().slice(body.join().indexOf('{"errors"')).split('\r\n')[0] ?? '',
  );
  expectDescribed('/promoCode/apply', status, answer);
  expect(answer.data.code).toBe(code);
});

test('a request with an Expect header is answered like any other', async () => {
  expect((await service.getConfig({ headers: { Expect: 'nothing-special' } })).status).toBe(200);
});

describe('503 ServiceUnavailableException, never 401', () => {
  const unavailable = { code: 'ServiceUnavailableException', statusCode: 503, retryable: true };

  test('while DynamoDB cannot be reached', async () => {
    await using other = await startService();
    await close(other.servers.database);
    for (const operation of [other.getConfig, other.applyPromoCode]) {
      const answer = await operation();
      expect(answer.status).toBe(503);
      expect(answer.body.data).toMatchObject(unavailable);
    }
  });

  test('while the key set cannot be reached', async () => {
    await using other = await startService();
    await close(other.servers.jwks);
    for (const operation of [other.getConfig, other.applyPromoCode]) {
      const answer = await operation();
      expect(answer.status).toBe(503);
      expect(answer.body.data).toMatchObject(unavailable);
    }
  });
});

test('500 InternalServerError: a missing table', async () => {
  await using broken = await startService({ CONFIGS_TABLE_NAME: 'NoSuchTable' });
  const { logged } = broken.watchLog();
  const answer = await broken.getConfig();
  expect(answer.status).toBe(500);
  expect(answer.body.data).toMatchObject({ code: 'InternalServerError', retryable: true });
  // The position in the source, not in the bundle.
  await logged('ResourceNotFoundException', '/core/platform/available.ts:');
});

test('500 InternalServerError: a function that cannot start, without details', async () => {
  await using broken = await startService({ CONFIGS_TABLE_NAME: '' });
  const { logged } = broken.watchLog();
  const answer = await broken.getConfig();
  expect(answer.status).toBe(500);
  expect(answer.body.data).toMatchObject({ code: 'InternalServerError', retryable: true });
  expect(JSON.stringify(answer.body)).not.toContain('CONFIGS_TABLE_NAME');
  await logged('The environment variable CONFIGS_TABLE_NAME is not set.');
});

test('the log line of an error has the request id that the caller received', async () => {
  const { logged } = service.watchLog();
  const response = await fetch(`${service.outputs.ApiUrl}/promoCode/apply`, { method: 'POST' });
  const requestId = response.headers.get('x-amzn-requestid');
  expectDescribed('/promoCode/apply', response.status, await response.json());
  expect(requestId).toMatch(/^[\da-f-]{36}$/);
  await logged(`"requestId":"${requestId}"`);
});

test('no response or log line contains a token or a key, and no response shows internals', async () => {
  const token = await signIdToken(service.issuer, { expiresInSeconds: -5 });
  const { lines, logged } = service.watchLog();
  const expired = await service.getConfig({ headers: { Authorization: `Bearer ${token}` } });
  const guessed = await service.getConfig({ headers: { 'App-Id': 'a-guessed-key' } });
  const invalid = await service.applyPromoCode({ body: { ...PROMO_REQUEST, source: 'hush\n' } });
  await logged('NotAuthorizedException', 'Unauthorized', 'ValidationException');
  expect(lines().filter((line) => !line.includes('"_aws"'))).toHaveLength(3);
  for (const secret of [
    token,
    token.split('.')[2] ?? '',
    'a-guessed-key',
    'demo-app-key',
    'hush',
  ]) {
    expect(lines().join()).not.toContain(secret);
  }
  const answers = JSON.stringify([expired, guessed, invalid]);
  expect(answers).not.toMatch(/node_modules|\.ts|\.mjs|arn:|issuer/);
});
