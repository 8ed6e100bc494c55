import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keyDigest } from '../../../core/clients/key-digest.ts';
import type { Operation } from '../../../functions/api/operation.ts';
import { applyPromoCode } from '../../../functions/apply-promo-code/operation.ts';
import { getConfig } from '../../../functions/get-config/operation.ts';
import { OPERATIONS } from '../../../functions/operations.ts';
import { signIdToken } from '../../../local/id-token.ts';
import { close } from '../../../local/listen.ts';
import { noWrites } from '../../support/fault-proxy.ts';
import { startFaultyService } from '../../support/faulty-service.ts';
import { KEY_USES_MESSAGE, logOf } from '../../support/log.ts';
import { type Call, PROMO_REQUEST, type Service, startService } from '../../support/service.ts';

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

// The first test: an execution environment writes the line for its first accepted request.
test('the uses of App-Ids are one line with the digests of the keys, and no key', async () => {
  for (const operation of OPERATIONS) {
    const { logged, lines } = service.watchLog();
    await service.send(operation, { headers: { 'App-Id': 'refused-key' } });
    for (let call = 0; call < 3; call++) await service.send(operation);
    await logged(KEY_USES_MESSAGE);
    expect(await logOf(service, operation, () => service.send(operation))).toEqual([]);
    const written = lines().filter((line) => line.includes(KEY_USES_MESSAGE));
    expect(written.map((line) => JSON.parse(line))).toEqual([
      {
        ...{ level: 'INFO', message: KEY_USES_MESSAGE, service: operation.folder },
        ...{ timestamp: expect.any(String), sampling_rate: 0, unnamed: 0 },
        uses: { demo: { [keyDigest('demo-app-key')]: 1 } },
      },
    ]);
    for (const key of ['demo-app-key', 'refused-key', keyDigest('refused-key')]) {
      expect(lines().join()).not.toContain(key);
    }
  }
});

describe('a request that is refused', () => {
  test.each<[name: string, call: Call, line: Record<string, unknown>]>([
    [
      'a header is missing',
      { headers: { 'Device-Id': undefined } },
      {
        statusCode: 401,
        code: 'Unauthorized',
        problems: ['The header Device-Id is missing.'],
      },
    ],
    [
      'the token has expired',
      { token: { expiresInSeconds: -5 } },
      {
        statusCode: 400,
        code: 'NotAuthorizedException',
        reason: expect.stringContaining('Token expired at '),
      },
    ],
    [
      'the token is for another app client',
      { token: { claims: { aud: 'another' } } },
      {
        statusCode: 401,
        code: 'Unauthorized',
        reason: expect.stringContaining('not allowed: another'),
      },
    ],
    [
      'a property is wrong',
      { body: { ...PROMO_REQUEST, source: '' } },
      {
        statusCode: 400,
        code: 'ValidationException',
        problems: ['source must have 1 to 64 characters.'],
      },
    ],
    [
      'the client is unknown',
      { body: { ...PROMO_REQUEST, clientId: 'unknown' } },
      { statusCode: 401, code: 'Unauthorized', reason: 'Error: unknown client' },
    ],
    [
      'the App-Id is wrong',
      { headers: { 'App-Id': 'wrong' } },
      { statusCode: 401, code: 'Unauthorized', reason: "Error: App-Id is not one of the client's" },
    ],
    [
      'the token belongs to another user',
      { token: { user: 'another' } },
      { statusCode: 403, code: 'ForbiddenException' },
    ],
  ])('because %s is one line with status, code and reason', async (_, call, expected) => {
    const lines = await logOf(service, applyPromoCode, () => service.applyPromoCode(call));
    expect(lines).toEqual([
      expect.objectContaining({
        level: 'WARN',
        message: 'Request refused',
        service: 'apply-promo-code',
        requestId: expect.stringMatching(ID),
        awsRequestId: expect.stringMatching(ID),
        ...expected,
      }),
    ]);
  });
});

test('the line of a request has the request id that the caller received, and that of the invocation', async () => {
  for (const { paths } of OPERATIONS) {
    const { logged, lines } = service.watchLog();
    const response = await fetch(`${service.outputs.ApiUrl}${paths[0].path}`, { method: 'POST' });
    const requestId = response.headers.get('x-amzn-requestid');
    expect(requestId).toMatch(ID);
    await logged(`"requestId":"${requestId}"`);
    const line = JSON.parse(lines().find((text) => text.includes(String(requestId))) ?? '');
    expect(line.awsRequestId).toMatch(ID);
    expect(line.awsRequestId).not.toBe(requestId);
  }
});

test('a successful request logs no line of its own', async () => {
  for (const operation of OPERATIONS) {
    expect(await logOf(service, operation, () => service.send(operation))).toEqual([]);
  }
});

const FETCH = 'fetch the key set';
const READ = 'read from DynamoDB';

test.each<
  [name: string, status: number, code: string, work: string, start: () => Promise<Service>]
>([
  [
    'the table of the clients is missing',
    500,
    'InternalServerError',
    READ,
    () => startService({ CONFIGS_TABLE_NAME: 'NoSuchTable' }),
  ],
  [
    'DynamoDB cannot be reached',
    503,
    'ServiceUnavailableException',
    READ,
    () => startService({ AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:9' }),
  ],
  [
    'the key set cannot be fetched',
    503,
    'ServiceUnavailableException',
    FETCH,
    () => startService({ AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: 'http://127.0.0.1:9' }),
  ],
])('if %s, the start and each request that fails are one line with their cause', async (...row) => {
  const [, status, code, work, start] = row;
  await using broken = await start();
  const lines = await logOf(broken, getConfig, () => broken.getConfig());
  const error = expect.objectContaining({
    name: expect.any(String),
    message: expect.any(String),
  });
  expect(lines).toEqual([
    expect.objectContaining({
      level: 'WARN',
      message: 'The first call was not prepared',
      service: 'get-config',
      work,
      error,
    }),
    expect.objectContaining({
      level: 'ERROR',
      message: 'Request failed',
      service: 'get-config',
      requestId: expect.stringMatching(ID),
      awsRequestId: expect.stringMatching(ID),
      statusCode: status,
      code,
      error,
    }),
  ]);
});

describe('no line shows what only the caller and the service may know', () => {
  const BODY = {
    ...PROMO_REQUEST,
    userId: 'a-user-nobody-else-knows',
    promoCode: 'HUSHHUSH',
    promoCodeToken: 'a-token-of-the-code',
    source: 'a-source',
  };
  const DEVICE = 'a-device-of-the-user';

  async function secretsOf({ issuer }: Service) {
    const token = await signIdToken(issuer, { user: BODY.userId });
    const headers = { Authorization: `Bearer ${token}`, 'Device-Id': DEVICE };
    const { userId, promoCode, promoCodeToken, source } = BODY;
    const [, payload, signature] = token.split('.');
    const secrets = [token, payload, signature, 'demo-app-key', DEVICE];
    return { headers, secrets: [...secrets, userId, promoCode, promoCodeToken, source] };
  }

  function expectNone(lines: readonly string[], secrets: readonly (string | undefined)[]) {
    expect(lines.length).toBeGreaterThan(0);
    for (const secret of secrets) expect(lines.join('\n')).not.toContain(secret);
  }

  test('while the table refuses writes, and when the queued event cannot be stored', async () => {
    await using faulty = await startFaultyService();
    faulty.toDynamoDb.faultOf = noWrites;
    const { headers, secrets } = await secretsOf(faulty);
    const { lines, logged } = faulty.watchLog();
    expect((await faulty.applyPromoCode({ headers, body: BODY })).status).toBe(200);
    await logged('The table did not store a promo event', 'A promo event stays in the queue');
    expectNone(lines(), secrets);
  });

  test('while neither the table nor the queue can be reached', async () => {
    await using cut = await startService({
      AWS_ENDPOINT_URL_SQS: 'http://127.0.0.1:9',
      PROMO_EVENTS_TABLE_NAME: 'NoSuchTable',
    });
    const { headers, secrets } = await secretsOf(cut);
    const { lines, logged } = cut.watchLog();
    expect((await cut.applyPromoCode({ headers, body: BODY })).status).toBe(503);
    await logged('Request failed');
    expectNone(lines(), secrets);
  });

  test('while a stale client is served', async () => {
    await using uncached = await startService({ CONFIG_CACHE_SECONDS: '0' });
    const { headers, secrets } = await secretsOf(uncached);
    await uncached.getConfig({ headers });
    await close(uncached.servers.database);
    const { lines, logged } = uncached.watchLog();
    await uncached.getConfig({ headers });
    await logged('its last good copy is served');
    expectNone(lines(), secrets);
  });

  test('when a check refuses the request', async () => {
    const { headers, secrets } = await secretsOf(service);
    const refused: [Operation, Call][] = [
      [applyPromoCode, { headers: { ...headers, 'App-Id': 'a-guess' }, body: BODY }],
      [applyPromoCode, { headers, body: { ...BODY, userId: 'somebody' } }],
      [applyPromoCode, { headers, body: { ...BODY, eventType: 7 } }],
      [applyPromoCode, { headers: { ...headers, 'Device-Id': DEVICE.repeat(9) }, body: BODY }],
      [getConfig, { headers: { ...headers, Authorization: `${headers.Authorization}x` } }],
    ];
    for (const [operation, call] of refused) {
      const lines = await logOf(service, operation, () => service.send(operation, call));
      expectNone(
        lines.map((line) => JSON.stringify(line)),
        [...secrets, 'a-guess'],
      );
    }
  });

  test('when a message of the queue is not a promo event', async () => {
    const { lines, logged } = service.watchLog();
    await service.sqs.send(
      new SendMessageCommand({
        QueueUrl: service.outputs.PromoEventsQueueUrl,
        MessageBody: JSON.stringify({ ...BODY, deviceId: DEVICE }),
      }),
    );
    await logged('A message is not a promo event');
    const { promoCode, promoCodeToken, userId } = BODY;
    expectNone(lines(), [promoCode, promoCodeToken, userId, DEVICE]);
  });
});
