import { errorEnvelope, errors, applyPromoCode as operation } from 'customer-data-api/operations';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { applyPromoCode, type RequestOptions, type Session } from '../../src/index.ts';

/* `retry: true`, against a service that gives one answer after the other. */

const NOW = Date.parse('2026-11-20T09:30:00.000Z');
const HOUR = 60 * 60 * 1000;
const REQUEST = operation.example.request;

type Answer = () => Promise<Response>;

const answer =
  (body: unknown, headers: Record<string, string> = {}): Answer =>
  async () =>
    Response.json(body, { headers });
const refusal = (error: errors.ApiError, headers?: Record<string, string>) =>
  answer(errorEnvelope(error), headers);

const success = answer({ errors: [], warnings: [], notices: [], data: operation.example.data() });
const lost: Answer = () => Promise.reject(new TypeError('terminated'));
const portal: Answer = async () => new Response('<html>');
const expired = refusal(new errors.TokenExpiredError());
const unavailable = refusal(new errors.ServiceUnavailableError());
/**
 * The refusal of a date, among other problems, by a server whose time is a number of milliseconds
 * ahead of ours.
 */
const wrongClock = (offset: number): Answer => {
  const names = ['Device-Id', 'Request-Date', 'App-Id'] as const;
  const problems = names.map((header) => ({ message: 'wrong', header }));
  const headers = { Date: new Date(NOW + offset).toUTCString() };
  return refusal(new errors.UnauthorizedError({ problems }), headers);
};

let answers: Answer[];
const fetched = vi.fn<typeof fetch>();
const idToken = vi.fn<Session['idToken']>();
const refreshTokens = vi.fn<() => Promise<void>>();
let session: Session;

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  fetched.mockImplementation(() => (answers.shift() ?? success)());
  idToken.mockReturnValue('old');
  refreshTokens.mockImplementation(async () => void idToken.mockReturnValue('new'));
  session = {
    baseUrl: 'https://api.example.com',
    appId: 'key',
    deviceId: 'device',
    idToken,
    refreshTokens,
    fetch: fetched,
  };
});
afterEach(() => {
  vi.useRealTimers();
  vi.resetAllMocks();
});

async function apply(given: Answer[], options: RequestOptions = {}) {
  answers = given;
  const sending = applyPromoCode(session, REQUEST, { retry: true, ...options });
  await vi.runAllTimersAsync();
  return sending;
}

const sent = (header: string) =>
  fetched.mock.calls.map(([, init]) => new Headers(init?.headers).get(header));
/** The dates under which the request was sent, in milliseconds from the time of the phone. */
const dates = () => sent('request-date').map((date) => Date.parse(date ?? '') - NOW);

test.each<[string, Answer]>([
  ['a lost response', lost],
  ['an answer of something else', portal],
  ['an outage', unavailable],
  ['throttling', refusal(new errors.ThrottlingError())],
  ['a failure', refusal(new errors.InternalServerError())],
])('after %s the same request is sent again, under the same date', async (_, failure) => {
  expect(await apply([failure, failure])).toMatchObject({ outcome: 'success' });
  expect(dates()).toEqual([0, 0, 0]);
  expect(new Set(fetched.mock.calls.map(([url, init]) => `${url} ${init?.body}`)).size).toBe(1);
});

test('after a refusal of the user or of the key the request is not sent again', async () => {
  for (const error of [new errors.ForbiddenError(), new errors.UnauthorizedError()]) {
    fetched.mockClear();
    await apply([refusal(error)]);
    expect(fetched).toHaveBeenCalledOnce();
  }
});

test.each<[string, () => void]>([
  ['token', () => idToken.mockReturnValue(new Promise(() => {}))],
  ['answer', () => fetched.mockReturnValue(new Promise(() => {}))],
  ['end of an answer', () => fetched.mockResolvedValue(new Response(new ReadableStream()))],
])('an %s that never comes is waited for 25 seconds, whatever ignores signals', async (_, wait) => {
  wait();
  expect(await apply([], { retry: false })).toMatchObject({ outcome: 'noAnswer' });
  expect(Date.now() - NOW).toBe(25_000);
});

describe('the pause', () => {
  /** Returns when the request was sent, in milliseconds after the first time. */
  async function times(random: number, options?: RequestOptions): Promise<number[]> {
    vi.mocked(Math.random).mockReturnValue(random);
    const at: number[] = [];
    const start = Date.now();
    const failure: Answer = () => {
      at.push(Date.now() - start);
      return lost();
    };
    await apply(
      Array.from({ length: 1000 }, () => failure),
      options,
    );
    return at;
  }

  test('is a random part of what doubles up to 8 seconds, and retries end after a minute', async () => {
    expect(await times(1)).toEqual([
      0, 500, 1500, 3500, 7500, 15_500, 23_500, 31_500, 39_500, 47_500, 55_500,
    ]);
    expect((await times(0.5)).slice(0, 5)).toEqual([0, 250, 750, 1750, 3750]);
  });

  test('never leads over the limit of the caller', async () => {
    expect(await times(1, { retryMs: 1500 })).toEqual([0, 500, 1500]);
    fetched.mockClear();
    expect((await times(1, { retryMs: 1499 })).length).toBe(2);
    expect((await times(1, { retryMs: 0 })).length).toBe(1);
  });

  test('does not depend on the clock of the phone, which may be set meanwhile', async () => {
    const setBack: Answer = () => {
      vi.setSystemTime(Date.now() - 48 * HOUR);
      return lost();
    };
    await apply([setBack, ...Array.from({ length: 1000 }, () => lost)], { retryMs: 1000 });
    expect(fetched).toHaveBeenCalledTimes(3);
  });

  test('follows the clock of the phone where the platform has no other', async () => {
    vi.stubGlobal('performance', undefined);
    expect(await times(1, { retryMs: 1500 })).toEqual([0, 500, 1500]);
    vi.unstubAllGlobals();
  });

  test.each([
    ['seconds', '5', 5000],
    ['a date', new Date(NOW + 7000).toUTCString(), 7000],
    ['no time', 'soon', 0],
    ['the past', new Date(NOW - 7000).toUTCString(), 0],
    ['a day', '86400', 60_000],
    ['a year, as a date', new Date(NOW + 365 * 24 * HOUR).toUTCString(), 60_000],
    ['no end', 'Infinity', 60_000],
  ])('is that of the service, as %s, and a minute at most', async (_, retryAfter, ms) => {
    const headers = { 'Retry-After': retryAfter, Date: new Date(NOW).toUTCString() };
    const busy = refusal(new errors.ServiceUnavailableError(), headers);
    const proxy: Answer = async () => new Response('busy', { status: 503, headers });
    const html: Answer = async () => Response.json({ message: 'busy' }, { status: 503, headers });
    for (const [failure, pause] of [
      [busy, ms],
      [proxy, 0],
      [html, 0],
    ] as const) {
      vi.setSystemTime(NOW);
      expect(await apply([failure], { retryMs: 61_000 })).toMatchObject({ outcome: 'success' });
      expect(Date.now() - NOW).toBe(pause + 250);
    }
    fetched.mockClear();
    const result = await apply([busy], { retryMs: 4000 });
    expect(result.outcome).toBe(ms > 4000 ? 'error' : 'success');
  });

  test('ends when the caller aborts: the last answer is the result, and nothing is sent after it', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 100);
    const result = await apply([unavailable], { signal: controller.signal });
    expect(result).toMatchObject({ outcome: 'error', error: { statusCode: 503 } });
    expect(Date.now() - NOW).toBe(100);
    expect(fetched).toHaveBeenCalledOnce();
  });
});

test('nothing is left behind: no timer, no listener of the signal', async () => {
  const controller = new AbortController();
  const listeners = new Set<unknown>();
  vi.spyOn(controller.signal, 'addEventListener').mockImplementation((_type, listener) => {
    listeners.add(listener);
  });
  vi.spyOn(controller.signal, 'removeEventListener').mockImplementation((_type, listener) => {
    listeners.delete(listener);
  });
  answers = [expired, lost];
  const sending = applyPromoCode(session, REQUEST, { retry: true, signal: controller.signal });
  await vi.advanceTimersByTimeAsync(250);
  expect(await sending).toMatchObject({ outcome: 'success' });
  expect(vi.getTimerCount()).toBe(0);
  expect(listeners).toEqual(new Set());
});

describe('an expired token', () => {
  test('is refreshed, and the request is sent again with the new one, at once', async () => {
    // As of an object that needs to be `this`.
    const { baseUrl, appId, deviceId } = session;
    const signedIn = {
      baseUrl,
      appId,
      deviceId,
      fetch: fetched,
      token: 'old',
      idToken() {
        return this.token;
      },
      refreshTokens() {
        this.token = 'new';
      },
    };
    session = signedIn;
    expect(await apply([expired])).toMatchObject({ outcome: 'success' });
    expect(sent('authorization')).toEqual(['Bearer old', 'Bearer new']);
    expect(dates()).toEqual([0, 0]);
    expect(Date.now()).toBe(NOW);
  });

  test('is refreshed once for the requests that find it at the same time', async () => {
    const refreshed = Promise.withResolvers<void>();
    refreshTokens.mockReturnValueOnce(refreshed.promise);
    setTimeout(() => {
      idToken.mockReturnValue('new');
      refreshed.resolve();
    }, 100);
    const both = await Promise.all([apply([expired, expired]), apply([expired, expired])]);
    expect(both).toMatchObject([{ outcome: 'success' }, { outcome: 'success' }]);
    expect(refreshTokens).toHaveBeenCalledOnce();
    await apply([expired]);
    expect(refreshTokens).toHaveBeenCalledTimes(2);
  });

  test('is refreshed once, although another request hears of it after the refresh', async () => {
    const late = Promise.withResolvers<void>();
    answers = [expired, () => late.promise.then(expired)];
    const sending = [1, 2].map(() => applyPromoCode(session, REQUEST, { retry: true }));
    await vi.advanceTimersByTimeAsync(1000);
    late.resolve();
    await vi.runAllTimersAsync();
    expect(await Promise.all(sending)).toMatchObject([
      { outcome: 'success' },
      { outcome: 'success' },
    ]);
    expect(refreshTokens).toHaveBeenCalledOnce();
    expect(sent('authorization')).toEqual(['Bearer old', 'Bearer old', 'Bearer new', 'Bearer new']);
  });

  test('that a refresh did not replace is refreshed again by the next request', async () => {
    refreshTokens.mockResolvedValueOnce(undefined);
    expect(await apply([expired, expired])).toMatchObject({ outcome: 'tokenExpired' });
    expect(await apply([expired])).toMatchObject({ outcome: 'success' });
    expect(refreshTokens).toHaveBeenCalledTimes(2);
  });

  test('is a result if it cannot be refreshed, and the next request tries a refresh again', async () => {
    refreshTokens.mockRejectedValueOnce(new Error('offline'));
    expect(await apply([expired])).toMatchObject({ outcome: 'tokenExpired' });
    refreshTokens.mockReturnValue(new Promise(() => {}));
    expect(await apply([expired])).toMatchObject({ outcome: 'tokenExpired' });
    expect(Date.now() - NOW).toBe(25_000);
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 100);
    const { signal } = controller;
    expect(await apply([expired], { signal })).toMatchObject({ outcome: 'tokenExpired' });
    expect(refreshTokens).toHaveBeenCalledTimes(3);
    const { refreshTokens: _, ...others } = session;
    session = others;
    expect(await apply([expired])).toMatchObject({ outcome: 'tokenExpired' });
    expect(fetched).toHaveBeenCalledTimes(4);
  });
});

describe('a wrong clock', () => {
  test('is corrected for later requests, too, and anew', async () => {
    const ms = -48 * HOUR;
    await apply([wrongClock(ms)]);
    await apply([wrongClock(0)]);
    expect(dates()).toEqual([0, ms, ms, 0]);
  });

  test('does not lose a code of which an earlier attempt may have been accepted', async () => {
    const result = await apply([unavailable, wrongClock(48 * HOUR)]);
    expect(result).toMatchObject({ outcome: 'success', requestDate: new Date(NOW + 48 * HOUR) });
    expect(dates()).toEqual([0, 0, 48 * HOUR]);
  });

  test('is learned without a retry, and the next request has the right date', async () => {
    for (const days of [3, -3]) {
      session = { ...session };
      fetched.mockClear();
      const ms = days * 24 * HOUR;
      expect(await apply([wrongClock(ms)], { retry: false })).toMatchObject({ outcome: 'error' });
      await apply([], { retry: false });
      await apply([], { retry: false });
      expect(dates()).toEqual([0, ms, ms]);
    }
  });

  test('that two requests learn of at once is corrected once', async () => {
    const ms = 72 * HOUR;
    const once = { retry: false };
    answers = [wrongClock(ms), wrongClock(ms)];
    await Promise.all([1, 2].map(() => applyPromoCode(session, REQUEST, once)));
    await apply([], once);
    expect(dates()).toEqual([0, 0, ms]);
  });

  test('of one session does not change the dates of another', async () => {
    await apply([wrongClock(48 * HOUR)]);
    session = { ...session };
    await apply([]);
    expect(dates()).toEqual([0, 48 * HOUR, 0]);
  });
});
