import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { applyPromoCode as promoOperation } from '../../../functions/apply-promo-code/operation.ts';
import { getConfig as operation } from '../../../functions/get-config/operation.ts';
import type { ApplyPromoCodeRequest } from '../../../sdk/src/index.ts';
import { applyPromoCode, getConfig, type Session } from '../../../sdk/src/index.ts';

const fetched = vi.fn<typeof fetch>();
const session = (change: Partial<Session> = {}): Session => ({
  baseUrl: 'https://api.example.com/prod',
  appId: 'key',
  deviceId: 'device',
  idToken: () => 'a.b.c',
  fetch: fetched,
  ...change,
});
const REQUEST = { clientId: 'demo' };
const DATE = new Date('2026-11-20T09:30:00.123Z');
const ANSWERED = { headers: { 'x-amzn-RequestId': 'id-1' } };
const SUCCESS = { errors: [], warnings: ['w'], notices: ['n'], data: { fields: [] } };

beforeEach(() => {
  vi.useFakeTimers({ now: DATE, toFake: ['Date'] });
  fetched.mockImplementation(async () => Response.json(SUCCESS, ANSWERED));
});
afterEach(() => {
  vi.useRealTimers();
  vi.resetAllMocks();
});

test.each([
  ['getConfig', getConfig, operation.paths[0].path, REQUEST],
  [
    'applyPromoCode',
    (one: Session, request: object, options: object) =>
      applyPromoCode(one, request as ApplyPromoCodeRequest, options),
    promoOperation.paths[0].path,
    promoOperation.example.request,
  ],
])('%s sends the request and its headers, once', async (_, call, path, request) => {
  const requestDate = new Date('2026-11-19T00:00:00Z');
  const result = await call(session(), request, { requestDate });
  expect(result).toEqual({
    outcome: 'success',
    requestDate,
    requestId: 'id-1',
    data: SUCCESS.data,
    warnings: ['w'],
    notices: ['n'],
  });
  expect(fetched).toHaveBeenCalledOnce();
  const [url, init] = fetched.mock.lastCall ?? [];
  expect(url).toBe(`https://api.example.com/prod${path}`);
  expect(init).toMatchObject({ method: 'POST', body: JSON.stringify(request) });
  expect(Object.fromEntries(new Headers(init?.headers))).toEqual({
    'content-type': 'application/json',
    authorization: 'Bearer a.b.c',
    'app-id': 'key',
    'device-id': 'device',
    'request-date': '2026-11-19T00:00:00.000Z',
  });
});

test('the signal aborts the request, before it is sent and while it waits for the response', async () => {
  const reason = new Error('the page was closed');
  const controller = new AbortController();
  fetched.mockImplementation(
    (_, init) =>
      new Promise((_resolve, reject) => {
        const abort = () => reject(init?.signal?.reason);
        if (init?.signal?.aborted) abort();
        init?.signal?.addEventListener('abort', abort);
      }),
  );
  const waiting = getConfig(session(), REQUEST, { signal: controller.signal });
  await vi.waitUntil(() => fetched.mock.calls.length > 0);
  controller.abort(reason);
  const requestDate = expect.any(Date);
  const expected = { outcome: 'noAnswer', requestDate, requestId: undefined, cause: reason };
  expect(await waiting).toEqual(expected);
  expect(await getConfig(session(), REQUEST, { signal: controller.signal })).toEqual(expected);
});

test('a request whose signal has aborted already asks for no token and sends nothing', async () => {
  const idToken = vi.fn(() => 'a.b.c');
  const { outcome } = await getConfig(session({ idToken }), REQUEST, {
    signal: AbortSignal.abort(),
  });
  expect(outcome).toBe('noAnswer');
  expect(idToken).not.toHaveBeenCalled();
  expect(fetched).not.toHaveBeenCalled();
});

test.each(['', '/', '//'])('a base URL may end in %j', async (end) => {
  await getConfig(session({ baseUrl: `https://api.example.com${end}` }), REQUEST);
  expect(fetched.mock.lastCall?.[0]).toBe('https://api.example.com/customerData/getConfig');
});

test('a session without fetch uses the fetch of the platform', async () => {
  vi.stubGlobal('fetch', fetched);
  const { fetch: _, ...others } = session();
  expect((await getConfig(others, REQUEST)).outcome).toBe('success');
  vi.unstubAllGlobals();
});

describe('a failure', () => {
  const failing = (code: string) => ({
    errors: [
      { code, message: 'one', pointer: '/a' },
      { code, message: 'two' },
    ],
    warnings: ['w'],
    notices: [],
    data: { message: 'one two', code, statusCode: 400, retryable: false },
  });

  test('has the error, every entry and the warnings', async () => {
    const body = failing('ValidationException');
    fetched.mockResolvedValue(Response.json(body, { status: 400, ...ANSWERED }));
    expect(await getConfig(session(), REQUEST)).toEqual({
      outcome: 'error',
      requestDate: DATE,
      requestId: 'id-1',
      error: body.data,
      errors: body.errors,
      warnings: ['w'],
    });
  });

  test('of an expired token is recognized by its code, not by its status', async () => {
    const body = failing('NotAuthorizedException');
    fetched.mockResolvedValue(Response.json(body, { status: 400, ...ANSWERED }));
    expect(await getConfig(session(), REQUEST)).toEqual({
      outcome: 'tokenExpired',
      requestDate: DATE,
      requestId: 'id-1',
      error: body.data,
    });
  });

  test.each(['errors', 'warnings', 'notices', 'data'])(
    'is not understood without %s, or with another type in its place',
    async (key) => {
      const { [key as keyof typeof SUCCESS]: __, ...others } = SUCCESS;
      for (const body of [others, { ...others, [key]: null }, { ...others, [key]: 'x' }]) {
        fetched.mockResolvedValue(Response.json(body, { status: 418 }));
        expect(await getConfig(session(), REQUEST)).toEqual({
          outcome: 'notUnderstood',
          requestDate: DATE,
          requestId: undefined,
          status: 418,
        });
      }
    },
  );

  test('has no answer when the app cannot find out its token, such as without a connection', async () => {
    const cause = new Error('offline');
    for (const idToken of [() => Promise.reject(cause), () => thrown(cause)]) {
      expect(await getConfig(session({ idToken }), REQUEST)).toEqual({
        outcome: 'noAnswer',
        requestDate: DATE,
        requestId: undefined,
        cause,
      });
    }
    expect(fetched).not.toHaveBeenCalled();
  });

  test('is not sent without a token, or if a header or the body cannot be written', async () => {
    const notSent = (reason: string) => ({ outcome: 'notSent', cause: new Error(reason) });
    for (const value of ['', 'a\nb', '\u4e16', '\u007f']) {
      for (const [name, change] of [
        ['App-Id', { appId: value }],
        ['Device-Id', { deviceId: value }],
        ['Authorization', { idToken: () => value || '\n' }],
      ] as const) {
        expect(await getConfig(session(change), REQUEST)).toMatchObject(
          notSent(`The header ${name} has no valid value.`),
        );
      }
    }
    for (const none of [undefined, null, '']) {
      const idToken = async () => none;
      expect(await getConfig(session({ idToken }), REQUEST)).toMatchObject(
        notSent('There is no ID token.'),
      );
    }
    const unwritable = { clientId: 1n } as unknown as typeof REQUEST;
    expect((await getConfig(session(), unwritable)).outcome).toBe('notSent');
    expect(fetched).not.toHaveBeenCalled();
  });

  test.each(['\t', ' ', '~', '\x80', 'é'])('is not a header with %j in it', async (character) => {
    const appId = `a${character}b`;
    expect((await getConfig(session({ appId }), REQUEST)).outcome).toBe('success');
    expect(new Headers(fetched.mock.lastCall?.[1]?.headers).get('app-id')).toBe(appId);
  });

  test('has no answer when the connection closes, before the headers or within the body', async () => {
    const cause = new TypeError('terminated');
    const broken = new ReadableStream({ start: (controller) => controller.error(cause) });
    fetched.mockRejectedValueOnce(cause).mockResolvedValueOnce(new Response(broken));
    for (let call = 0; call < 2; call++) {
      expect(await getConfig(session(), REQUEST)).toEqual({
        outcome: 'noAnswer',
        requestDate: DATE,
        requestId: undefined,
        cause,
      });
    }
  });
});

function thrown(error: Error): never {
  throw error;
}
