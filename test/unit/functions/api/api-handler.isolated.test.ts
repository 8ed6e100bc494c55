import { setTimeout as wait } from 'node:timers/promises';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ClientRecord, readAccess } from '../../../../core/clients/client-record.ts';
import { clientRecords } from '../../../../core/clients/client-records.ts';
import { keyDigest } from '../../../../core/clients/key-digest.ts';
import { logger } from '../../../../core/platform/logger.ts';
import { count, countResponse, publishMetrics } from '../../../../core/platform/metrics.ts';
import { UnavailableError } from '../../../../core/platform/unavailable-error.ts';
import { apiHandler } from '../../../../functions/api/api-handler.ts';
import { beforeFirstCall } from '../../../../functions/api/before-first-call.ts';
import {
  ForbiddenError,
  TokenExpiredError,
  UnauthorizedError,
} from '../../../../functions/api/errors.ts';
import { KeySetCache } from '../../../../functions/api/key-set.ts';
import { headersOf } from '../../../../functions/api/request-headers.ts';
import { verifyIdToken } from '../../../../functions/api/verify-id-token.ts';

vi.mock('../../../../core/platform/logger.ts', () => ({
  logger: { info: vi.fn(), warn: vi.fn(), error: vi.fn() },
}));
vi.mock('../../../../core/platform/metrics.ts', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  count: vi.fn(),
  countResponse: vi.fn(),
  publishMetrics: vi.fn(),
}));
vi.mock('../../../../core/clients/client-records.ts', () => ({ clientRecords: vi.fn() }));
vi.mock('../../../../functions/api/verify-id-token.ts', () => ({ verifyIdToken: vi.fn() }));
vi.mock('../../../../functions/api/before-first-call.ts', () => ({ beforeFirstCall: vi.fn() }));

/** The cached client of each test. */
const RECORD: ClientRecord<string> = {
  ...readAccess({ appIds: ['key-1', 'key-2', 'key-3'] }, 'demo', false),
  data: 'data',
};
/** Lambda ends the function after this time, in milliseconds. */
const REMAINING_MS = 20_000;

const load = vi.fn<ReturnType<typeof clientRecords<string>>>();
const verify = vi.fn<(token: string) => Promise<{ sub: string; aud: string }>>();
const operation = vi.fn<() => Promise<object>>();
const makeOperation = vi.fn<(documentClient: DynamoDBDocumentClient) => typeof operation>();
const checkUser = vi.fn<() => void>();
const OPTIONS: Parameters<typeof apiHandler>[0] = {
  environment: {
    CONFIGS_TABLE_NAME: 'Configs',
    CORS_ORIGINS: 'none',
    CONFIG_CACHE_SECONDS: 7,
    DYNAMODB_ENDPOINT: 'https://dynamodb.example.com',
    REQUEST_DATE_WINDOW_SECONDS: 60,
    REQUIRE_USER_POOL_CLIENT_IDS: true,
    USER_POOL_CLIENT_IDS: 'app-1,app-2,app-3',
    USER_POOL_ID: 'us-east-1_Pool',
  },
  request: v.object({ clientId: v.string('must be a string') }),
  clientData: () => 'data',
  checks: [{ before: () => checkUser() }],
  operation: makeOperation,
};
let handler: Awaited<ReturnType<typeof apiHandler>>;

beforeEach(async () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-20T09:30:00Z') });
  vi.stubEnv('AWS_REGION', 'us-east-1');
  vi.mocked(clientRecords<string>).mockReturnValue(load);
  vi.mocked(verifyIdToken).mockReturnValue({
    before: async ({ event }) => {
      event.claims = (await verify(event.requestHeaders.idToken)) as typeof event.claims;
    },
  });
  load.mockResolvedValue({ value: RECORD, stale: false });
  verify.mockResolvedValue({ sub: 'user', aud: 'app' });
  operation.mockResolvedValue({ done: true });
  makeOperation.mockReturnValue(operation);
  checkUser.mockReturnValue();
  handler = await apiHandler(OPTIONS);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.resetAllMocks();
});

interface Sent {
  readonly appId?: string;
  readonly body?: object;
  readonly remainingMs?: number;
}

async function send({
  appId = 'key-1',
  body = { clientId: 'demo' },
  remainingMs = REMAINING_MS,
}: Sent = {}) {
  const headers = headersOf({
    idToken: 'a.b.c',
    appId,
    deviceId: 'device',
    requestDate: '2026-11-20T09:30:00Z',
  });
  const multiValueHeaders = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value]]),
  );
  const event = {
    multiValueHeaders,
    body: JSON.stringify(body),
    isBase64Encoded: false,
    requestContext: { requestId: 'gateway-1' },
  } as unknown as APIGatewayProxyEvent;
  const context = { awsRequestId: 'lambda-1', getRemainingTimeInMillis: () => remainingMs };
  const { statusCode, body: json } = await handler(event, context as Context);
  return { statusCode, ...JSON.parse(json) };
}

test('DynamoDB, the client, the keys and the cache time come from the environment', async () => {
  expect(vi.mocked(clientRecords)).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({
      dynamodb: expect.any(DynamoDBDocumentClient),
      tableName: 'Configs',
      cacheSeconds: 7,
      requiresUserPoolClientIds: true,
      clientData: expect.any(Function),
    }),
  );
  expect(vi.mocked(verifyIdToken).mock.lastCall).toEqual([
    'us-east-1_Pool',
    ['app-1', 'app-2', 'app-3'],
    expect.any(KeySetCache),
  ]);
  const [documentClient] = makeOperation.mock.lastCall ?? [];
  expect(vi.mocked(clientRecords).mock.lastCall).toMatchObject([{ dynamodb: documentClient }]);
  expect(await documentClient?.config.endpoint?.()).toMatchObject({
    hostname: 'dynamodb.example.com',
  });
});

test('how far Request-Date may be from the time of the server comes from the environment', async () => {
  vi.setSystemTime('2026-11-20T09:31:00Z');
  expect((await send()).statusCode).toBe(200);
  vi.setSystemTime('2026-11-20T09:31:01Z');
  expect((await send()).statusCode).toBe(401);
});

test('the handler is there when its first call is prepared', async () => {
  const prepared = Promise.withResolvers<void>();
  vi.mocked(beforeFirstCall).mockReturnValue(prepared.promise);
  let isThere = false;
  const made = apiHandler(OPTIONS).then(() => {
    isThere = true;
  });
  await vi.advanceTimersByTimeAsync(0);
  expect(isThere).toBe(false);
  prepared.resolve();
  await made;
});

test('a request that passes every check gets what the operation returns', async () => {
  expect(await send()).toEqual({
    statusCode: 200,
    errors: [],
    warnings: [],
    notices: [],
    data: { done: true },
  });
  expect(vi.getTimerCount()).toBe(0);
  expect(logger.warn).not.toHaveBeenCalled();
  expect(logger.error).not.toHaveBeenCalled();
});

test.each(['key-1', 'key-2', 'key-3'])('each App-Id of a client is accepted: %s', async (appId) => {
  expect((await send({ appId })).statusCode).toBe(200);
});

describe('the first check that fails determines the response', () => {
  const token = () => verify.mockRejectedValue(new TokenExpiredError());
  const client = () => load.mockResolvedValue({ value: undefined, stale: false });
  const user = () =>
    checkUser.mockImplementation(() => {
      throw new ForbiddenError();
    });
  const invalid = { body: { clientId: 7 } };
  const wrongKey = { appId: 'wrong' };
  const noKey = { appId: '' };

  test.each<[string, (() => void)[], Sent, number, string]>([
    ['the headers before the token', [token], noKey, 401, 'Unauthorized'],
    ['the token before the body', [token], invalid, 400, 'NotAuthorizedException'],
    ['the body before the client', [client, user], invalid, 400, 'ValidationException'],
    ['the client before the user', [client, user], {}, 401, 'Unauthorized'],
    ['the App-Id before the user', [user], wrongKey, 401, 'Unauthorized'],
    ['the user last', [user], {}, 403, 'ForbiddenException'],
  ])('%s', async (_, failures, sent, statusCode, code) => {
    for (const fail of failures) fail();
    expect(await send(sent)).toMatchObject({ statusCode, data: { code } });
    expect(operation).not.toHaveBeenCalled();
  });

  test('a refused token or body causes no read of a client', async () => {
    await send(invalid);
    token();
    await send();
    expect(load).not.toHaveBeenCalled();
  });
});

describe('warnings', () => {
  const extra = { clientId: 'demo', more: 1 };
  const removed = '1 value was removed from the request data: more.';
  const stale = 'The configuration may be out of date: it could not be read again.';

  test('are part of an error response', async () => {
    operation.mockRejectedValue(new Error('defect'));
    expect(await send({ body: extra })).toMatchObject({ statusCode: 500, warnings: [removed] });
    expect(await send({ body: { ...extra, clientId: 7 } })).toMatchObject({
      statusCode: 400,
      warnings: [removed],
    });
  });

  test('report a stale record to a caller with access, and a metric counts it', async () => {
    load.mockResolvedValue({ value: RECORD, stale: true });
    expect(await send({ body: extra })).toMatchObject({ warnings: [removed, stale] });
    expect(count).toHaveBeenCalledExactlyOnceWith('LastGoodConfigServed');
  });

  test('report a stale record to a user whom the operation refuses', async () => {
    load.mockResolvedValue({ value: RECORD, stale: true });
    checkUser.mockImplementation(() => {
      throw new ForbiddenError();
    });
    expect(await send()).toMatchObject({ statusCode: 403, warnings: [stale] });
  });

  test('do not reveal to other callers that the client exists', async () => {
    load.mockResolvedValue({ value: RECORD, stale: true });
    expect(await send({ appId: 'wrong' })).toMatchObject({ statusCode: 401, warnings: [] });
    expect(count).not.toHaveBeenCalled();
  });
});

describe('the log', () => {
  const ids = { requestId: 'gateway-1', awsRequestId: 'lambda-1' };

  test.each<[string, () => void, Sent, object]>([
    [
      'a wrong App-Id',
      () => {},
      { appId: 'wrong' },
      { clientId: 'demo', statusCode: 401, reason: "Error: App-Id is not one of the client's" },
    ],
    [
      'an unknown client',
      () => load.mockResolvedValue({ value: undefined, stale: false }),
      {},
      { clientId: undefined, statusCode: 401, reason: 'Error: unknown client' },
    ],
    [
      "a token of another client's app",
      () =>
        load.mockResolvedValue({
          value: { ...RECORD, userPoolClientIds: ['other'] },
          stale: false,
        }),
      {},
      { statusCode: 401, reason: "Error: token was issued to another client's app" },
    ],
    [
      'a token that the key does not verify',
      () => verify.mockRejectedValue(new UnauthorizedError({ cause: new TypeError('forged') })),
      {},
      { statusCode: 401, reason: 'TypeError: forged' },
    ],
    [
      'a body that is not valid',
      () => {},
      { body: { clientId: 7 } },
      {
        statusCode: 400,
        code: 'ValidationException',
        problems: ['clientId must be a string.'],
        reason: undefined,
      },
    ],
  ])('has one warning with the reason for %s', async (_, arrange, sent, line) => {
    arrange();
    await send(sent);
    expect(logger.warn).toHaveBeenCalledExactlyOnceWith(
      'Request refused',
      expect.objectContaining({ ...ids, ...line }),
    );
    expect(logger.error).not.toHaveBeenCalled();
  });

  test.each([
    ['a defect', new RangeError('defect'), 500, expect.objectContaining({ message: 'defect' })],
    [
      'an outage',
      new UnavailableError({ cause: new Error('refused') }),
      503,
      expect.objectContaining({ message: 'refused' }),
    ],
  ])('has one error with the cause of %s', async (_, thrown, statusCode, error) => {
    operation.mockRejectedValue(thrown);
    expect((await send()).statusCode).toBe(statusCode);
    expect(logger.error).toHaveBeenCalledExactlyOnceWith('Request failed', {
      ...ids,
      clientId: 'demo',
      statusCode,
      code: expect.any(String),
      problems: [expect.any(String)],
      error,
    });
    expect(logger.warn).not.toHaveBeenCalled();
  });
});

test('the use of an App-Id is counted once it was accepted', async () => {
  await send({ appId: 'invented' });
  expect(logger.info).not.toHaveBeenCalled();
  await send({ appId: 'key-2' });
  expect(logger.info).toHaveBeenCalledExactlyOnceWith('App-Ids were used', {
    unnamed: 0,
    uses: { demo: { [keyDigest('key-2')]: 1 } },
  });
});

describe('a metric counts', () => {
  test.each([
    ['App-Ids', { appIds: [] }],
    ['app clients', { appIds: ['key-1'], userPoolClientIds: [] }],
    ['either', {}],
  ])('each request of a client whose item has no %s, and is refused', async (_, item) => {
    const value = { ...readAccess(item, 'demo', true), data: 'data' };
    load.mockResolvedValue({ value, stale: false });
    expect((await send()).statusCode).toBe(401);
    expect(count).toHaveBeenCalledExactlyOnceWith('ClientLockedOut');
  });

  test('no request of a client that admits somebody, accepted or refused', async () => {
    const item = { appIds: ['key-1'], userPoolClientIds: ['app'] };
    const value = { ...readAccess(item, 'demo', true), data: 'data' };
    load.mockResolvedValue({ value, stale: false });
    expect((await send()).statusCode).toBe(200);
    expect((await send({ appId: 'wrong' })).statusCode).toBe(401);
    expect(count).not.toHaveBeenCalled();
  });

  test('each response with its code, before it is published', async () => {
    await send();
    await send({ appId: 'wrong' });
    operation.mockRejectedValue(new UnavailableError({ cause: new Error('refused') }));
    await send();
    expect(vi.mocked(countResponse).mock.calls).toEqual([
      ['OK', 200],
      ['Unauthorized', 401],
      ['ServiceUnavailableException', 503],
    ]);
    const orders = [countResponse, publishMetrics].map(
      (mock) => vi.mocked(mock).mock.invocationCallOrder,
    );
    expect(orders[1]).toEqual(orders[0]?.map((order) => order + 1));
  });

  test('a timeout once, even if the operation responds later', async () => {
    let finish = (_: object) => {};
    operation.mockImplementation(() => new Promise((resolve) => (finish = resolve)));
    const response = send();
    await vi.advanceTimersByTimeAsync(REMAINING_MS);
    await response;
    finish({ done: true });
    await vi.advanceTimersByTimeAsync(1);
    expect(vi.mocked(countResponse).mock.calls).toEqual([['ServiceUnavailableException', 503]]);
  });
});

describe('half a second before Lambda ends the function', () => {
  const never = () => new Promise<never>(() => {});

  test.each<[string, () => void]>([
    ['the key set', () => verify.mockImplementation(never)],
    ['the client', () => load.mockImplementation(never)],
    ['the operation', () => operation.mockImplementation(never)],
  ])('the response is a retryable 503 while %s still waits', async (_, hang) => {
    hang();
    const onResponse = vi.fn();
    const response = send({ body: { clientId: 'demo', more: 1 } }).then((answer) => {
      onResponse();
      return answer;
    });
    await vi.advanceTimersByTimeAsync(REMAINING_MS - 501);
    expect(onResponse).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(await response).toMatchObject({
      statusCode: 503,
      data: { code: 'ServiceUnavailableException', retryable: true },
    });
    expect(logger.error).toHaveBeenCalledExactlyOnceWith(
      'Request failed',
      expect.objectContaining({
        requestId: 'gateway-1',
        error: expect.objectContaining({ message: 'the function ran out of time' }),
      }),
    );
  });

  test('or at once if less time is left', async () => {
    operation.mockImplementation(never);
    const response = send({ remainingMs: 100 });
    await vi.advanceTimersByTimeAsync(0);
    expect((await response).statusCode).toBe(503);
  });

  test('and middy, whose own timeout would end later, neither responds nor logs', async () => {
    operation.mockImplementation(never);
    const response = send({ remainingMs: 1 });
    await vi.advanceTimersByTimeAsync(0);
    await response;
    // Not a fake timer: neither would middy's be.
    await wait(10);
    expect(logger.error).toHaveBeenCalledOnce();
  });
});
