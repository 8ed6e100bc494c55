import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { applyPromoCode as operation } from '../../../functions/apply-promo-code/operation.ts';
import { errorEnvelope } from '../../../functions/http/envelope.ts';
import * as errors from '../../../functions/http/errors.ts';
import {
  type ApplyPromoCodeRequest,
  type PromoCodeQueue,
  type PromoCodeQueueOptions,
  promoCodeQueue,
  type QueuedResult,
  type Session,
} from '../../../sdk/src/index.ts';

const NOW = Date.parse('2026-11-20T09:30:00.000Z');
const HOUR = 60 * 60 * 1000;

/** What the service says to a request with a code and a date. */
type Service = (code: string, date: number) => Response;

const refusal = (error: errors.ApiError) =>
  Response.json(errorEnvelope(error), { headers: { Date: new Date().toUTCString() } });
const success = () =>
  Response.json({ errors: [], warnings: [], notices: [], data: operation.example.data() });
const lost = () => {
  throw new TypeError('terminated');
};
const wrongDate = () =>
  new errors.UnauthorizedError({ problems: [{ message: 'wrong', header: 'Request-Date' }] });

let stored: Map<string, string>;
let service: Service;
/** The code and the date of each attempt. */
let attempts: [code: string, date: number][];
let session: Session;
let reported: QueuedResult[];
beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
  // As in React Native, which has neither. Node has both.
  vi.stubGlobal('navigator', {});
  vi.stubGlobal('BroadcastChannel', undefined);
  stored = new Map();
  reported = [];
  service = success;
  attempts = [];
  session = {
    ...{ baseUrl: 'https://api.example.com', appId: 'key', deviceId: 'device' },
    idToken: () => 'a.b.c',
    fetch: async (_url, init) => {
      const { promoCode } = JSON.parse(String(init?.body));
      const date = Date.parse(new Headers(init?.headers).get('Request-Date') ?? '') - NOW;
      attempts.push([promoCode, date]);
      return service(promoCode, date);
    },
  };
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** A queue of an app that has just started: it knows only what is stored. */
const start = (change: Partial<PromoCodeQueueOptions> = {}, tab = promoCodeQueue) => {
  session = { ...session };
  return tab({
    session,
    userId: 'demo-user',
    onResult: (result) => reported.push(result),
    storage: {
      getItem: async (key) => stored.get(key) ?? null,
      setItem: async (key, value) => void stored.set(key, value),
    },
    ...change,
  });
};
const codeOf = (promoCode: string): ApplyPromoCodeRequest => ({
  ...operation.example.request,
  promoCode,
});
/** Sends. Returns the code and outcome of those reported, then of those kept. */
async function sendAll(queue = start(), signal?: AbortSignal) {
  reported = [];
  const sending = queue.send(signal);
  await vi.runAllTimersAsync();
  await sending;
  return [...reported.map((one) => outcomeOf(one, false)), ...(await keptIn(queue))];
}
const outcomeOf = (
  { request, result }: Pick<QueuedResult, 'request' | 'result'>,
  isKept: boolean,
) => [request.promoCode, result.outcome, isKept] as const;
async function keptIn(queue: PromoCodeQueue) {
  return (await queue.waiting()).flatMap(({ request, lastResult }) =>
    lastResult ? [outcomeOf({ request, result: lastResult }, true)] : [],
  );
}
const codes = () => attempts.map(([code]) => code);

test('codes are sent in order, each under the date at which it was added, and only once', async () => {
  const queue = start();
  for (const code of ['A', 'B', 'C']) {
    await queue.add(codeOf(code));
    vi.setSystemTime(Date.now() + HOUR);
  }
  const restarted = start();
  expect(await sendAll(restarted)).toEqual([
    ['A', 'success', false],
    ['B', 'success', false],
    ['C', 'success', false],
  ]);
  expect(attempts).toEqual([
    ['A', 0],
    ['B', HOUR],
    ['C', 2 * HOUR],
  ]);
  expect(await sendAll(restarted)).toEqual([]);
});

test('codes that are added while others are sent lose nobody, and wait their turn', async () => {
  const queue = start();
  await queue.add(codeOf('A'));
  let adding: Promise<unknown> | undefined;
  service = () => {
    adding ??= Promise.all(['B', 'C'].map((code) => queue.add(codeOf(code))));
    return success();
  };
  await Promise.all([sendAll(queue), sendAll(queue)]);
  await adding;
  expect(reported).toHaveLength(3);
  expect(codes()).toEqual(['A', 'B', 'C']);
});

test.each<[string, () => Response]>([
  ['there is no connection', lost],
  ['the service is down', () => refusal(new errors.ServiceUnavailableError())],
  ['the token is expired', () => refusal(new errors.TokenExpiredError())],
  ['there are too many requests', () => refusal(new errors.ThrottlingError())],
  ['something else answers', () => new Response('<html>')],
])('while %s, the codes wait in order', async (_, failure) => {
  const queue = start({ retryMs: 0 });
  await queue.add(codeOf('A'));
  await queue.add(codeOf('B'));
  service = failure;
  expect(await sendAll(queue)).toEqual([['A', expect.not.stringMatching('success'), true]]);
  service = success;
  expect(await sendAll()).toEqual([
    ['A', 'success', false],
    ['B', 'success', false],
  ]);
  expect(codes()).toEqual(['A', 'A', 'B']);
});

test('two queues on one storage lose no code and send none twice', async () => {
  const storage = {
    getItem: async (key: string) => stored.get(key) ?? null,
    setItem: async (key: string, value: string) => void stored.set(key, value),
  };
  const [one, other] = [start({ storage, retryMs: 0 }), start({ storage, retryMs: 0 })];
  await Promise.all([one.add(codeOf('A')), other.add(codeOf('B')), one.add(codeOf('C'))]);
  service = (code) => (code === 'A' ? success() : lost());
  await Promise.all([sendAll(one), sendAll(other)]);
  service = success;
  await Promise.all([sendAll(one), sendAll(other)]);
  expect(codes().filter((code) => code === 'A')).toHaveLength(1);
  expect(new Set(codes())).toEqual(new Set(['A', 'B', 'C']));
  expect(JSON.parse(stored.get('promo-codes') ?? '')).toEqual([]);
});

test('queues that do not know of each other remove only the codes that they sent', async () => {
  const [one, other] = [start({ retryMs: 0 }), start({ retryMs: 0 })];
  for (const code of ['A', 'B', 'C']) await one.add(codeOf(code));
  const sent = new Map<string, number>();
  service = (code) => {
    sent.set(code, (sent.get(code) ?? 0) + 1);
    return code === 'A' ? success() : lost();
  };
  await sendAll(one);
  await Promise.all([sendAll(one), sendAll(other)]);
  service = success;
  await sendAll();
  expect(sent.get('A')).toBe(1);
  expect(codes().slice(-2)).toEqual(['B', 'C']);
});

describe('two tabs, each with its own queue and its own object for the storage', () => {
  /** Gives a name to one function at a time. */
  const locks = () => {
    const last = new Map<string, Promise<unknown>>();
    return <T>(name: string, run: () => Promise<T>): Promise<T> => {
      const done = (last.get(name) ?? Promise.resolve()).then(run);
      last.set(name, done);
      return done;
    };
  };

  /** As in browsers, `request` has to be called on its object. */
  const webLocks = () => {
    const lock = locks();
    const own = {
      request(...parameters: Parameters<typeof lock>) {
        if (this !== own) throw new TypeError('Illegal invocation');
        return lock(...parameters);
      },
    };
    return own;
  };

  test.each<[string, () => Partial<PromoCodeQueueOptions>]>([
    [
      'the Web Locks API',
      () => {
        vi.stubGlobal('navigator', { locks: webLocks() });
        return {};
      },
    ],
    ['a lock of the app', () => ({ lock: locks() })],
  ])('lose no code and send none twice, by %s', async (_, lockOptions) => {
    const options = lockOptions();
    const [one, other] = [start(options), start(options)];
    await Promise.all(
      ['A', 'B', 'C', 'D'].map((code, i) => (i % 2 ? one : other).add(codeOf(code))),
    );
    await Promise.all([sendAll(one), sendAll(other), sendAll(one)]);
    expect(codes()).toEqual(['A', 'B', 'C', 'D']);
  });

  test('add a code while the other one sends', async () => {
    vi.stubGlobal('navigator', { locks: { request: locks() } });
    const [one, other] = [start(), start()];
    await one.add(codeOf('A'));
    let added = false;
    service = (code) => {
      if (code === 'A') void other.add(codeOf('B')).then(() => (added = true));
      return success();
    };
    const sending = one.send();
    await vi.advanceTimersByTimeAsync(0);
    expect(added).toBe(true);
    await sending;
  });
});

test('an aborted signal sends nothing, and the date may still be corrected', async () => {
  const queue = start();
  await queue.add(codeOf('A'));
  const before = stored.get('promo-codes');
  expect(await sendAll(queue, AbortSignal.abort())).toEqual([]);
  expect(stored.get('promo-codes')).toBe(before);
  expect(attempts).toEqual([]);
});

test('a signal that aborts ends the attempt in flight, and nothing is sent after it', async () => {
  const queue = start();
  for (const code of ['A', 'B']) await queue.add(codeOf(code));
  const controller = new AbortController();
  service = () => {
    controller.abort();
    return lost();
  };
  expect(await sendAll(queue, controller.signal)).toEqual([['A', 'noAnswer', true]]);
  expect(codes()).toEqual(['A']);
  service = success;
  expect(await sendAll()).toHaveLength(2);
});

test('a platform without a navigator needs no lock', async () => {
  vi.stubGlobal('navigator', undefined);
  const queue = start();
  await queue.add(codeOf('A'));
  expect(await sendAll(queue)).toEqual([['A', 'success', false]]);
});

test('nobody is signed in: nothing is sent', async () => {
  const queue = start({ session: { ...session, idToken: () => undefined } });
  await queue.add(codeOf('A'));
  expect(await sendAll(queue)).toEqual([['A', 'notSent', true]]);
  expect(await sendAll()).toEqual([['A', 'success', false]]);
});

test('a code that can never succeed is removed, and the next one is sent', async () => {
  const queue = start();
  await queue.add(codeOf('WRONG'));
  await queue.add(codeOf('B'));
  service = (code) =>
    code === 'B' ? success() : refusal(new errors.ValidationError([{ message: 'x' }]));
  expect(await sendAll(queue)).toEqual([
    ['WRONG', 'error', false],
    ['B', 'success', false],
  ]);
  expect(await sendAll(queue)).toEqual([]);
});

test('a code that the service refuses for its customer waits, and those after it are sent', async () => {
  const queue = start();
  for (const code of ['REFUSED', 'B']) await queue.add(codeOf(code));
  service = (code) => (code === 'B' ? success() : refusal(new errors.ForbiddenError()));
  expect(await sendAll(queue)).toEqual([
    ['B', 'success', false],
    ['REFUSED', 'error', true],
  ]);
  service = success;
  expect(await sendAll()).toEqual([['REFUSED', 'success', false]]);
});

test.each<[string, () => Response]>([
  ['whose client is not accepted', () => refusal(new errors.UnauthorizedError())],
  ['at which the service fails', () => refusal(new errors.InternalServerError())],
])('a code %s waits, and those after it are sent', async (_, failure) => {
  const queue = start({ retryMs: 0 });
  for (const code of ['BAD', 'B']) await queue.add(codeOf(code));
  service = (code) => (code === 'B' ? success() : failure());
  expect(await sendAll(queue)).toEqual([
    ['B', 'success', false],
    ['BAD', 'error', true],
  ]);
  service = success;
  expect(await sendAll()).toEqual([['BAD', 'success', false]]);
});

describe('what an app learns of its codes', () => {
  test('add returns the id of the code, and its result carries it', async () => {
    const queue = start();
    const ids = [await queue.add(codeOf('A')), await queue.add(codeOf('B'))];
    await sendAll(queue);
    expect(reported.map(({ id, request }) => [id, request])).toEqual([
      [ids[0], codeOf('A')],
      [ids[1], codeOf('B')],
    ]);
  });

  test('a code that waits is listed with the result of its last attempt, until it is removed', async () => {
    const queue = start({ retryMs: 0 });
    const ids = [await queue.add(codeOf('A')), await queue.add(codeOf('B'))];
    service = lost;
    await sendAll(queue);
    expect(await queue.waiting()).toMatchObject([
      { id: ids[0], request: codeOf('A'), lastResult: { outcome: 'noAnswer' } },
      { id: ids[1], request: codeOf('B'), lastResult: undefined },
    ]);
    await queue.remove(ids[0] ?? '');
    expect((await queue.waiting()).map(({ id }) => id)).toEqual([ids[1]]);
    await queue.clear();
    expect(await sendAll(queue)).toEqual([]);
  });

  test('a code that is removed while it is sent is not reported', async () => {
    const queue = start();
    const id = await queue.add(codeOf('A'));
    let removing: Promise<void> | undefined;
    service = () => {
      removing = queue.remove(id);
      return success();
    };
    expect(await sendAll(queue)).toEqual([]);
    await removing;
  });

  test('a queue of the customer in another tab reports it too, and one of somebody else does not', async () => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
    const results: string[] = [];
    const open = (name: string, userId: string, tab = promoCodeQueue) =>
      start(
        { userId, onResult: ({ request }) => results.push(`${name} ${request.promoCode}`) },
        tab,
      );
    const queue = open('first tab', 'demo-user');
    open('first tab again', 'demo-user');
    vi.resetModules();
    const otherTab = (await import('../../../sdk/src/index.ts')).promoCodeQueue;
    open('second tab of joe', 'joe', otherTab);
    open('second tab', 'demo-user', otherTab);
    await queue.add(codeOf('A'));
    await queue.send();
    await vi.waitFor(() => expect(results).toEqual(['first tab A', 'second tab A']));
  });

  test('a code that stays refused is reported after seven days', async () => {
    const queue = start({ retryMs: 0 });
    await queue.add(codeOf('A'));
    service = () => refusal(new errors.ForbiddenError());
    expect(await sendAll(queue)).toEqual([['A', 'error', true]]);
    vi.setSystemTime(NOW + 7 * 24 * HOUR);
    expect(await sendAll(start())).toEqual([['A', 'error', true]]);
    vi.setSystemTime(NOW + 7 * 24 * HOUR + 1);
    expect(await sendAll(start())).toEqual([['A', 'error', false]]);
  });
});

test('a code is neither sent nor listed nor removed for another customer of the phone', async () => {
  const queue = start();
  await queue.add(codeOf('A'));
  const joes = start({ userId: 'joe' });
  await joes.add(codeOf('J'));
  expect(await sendAll(joes)).toEqual([['J', 'success', false]]);
  expect(await joes.waiting()).toEqual([]);
  await joes.clear();
  expect(await sendAll(queue)).toEqual([['A', 'success', false]]);
});

test('at most 100 codes of a customer wait, and add rejects another one', async () => {
  const queue = start();
  for (let index = 0; index < 100; index++) await queue.add(codeOf(`${index}`));
  await expect(queue.add(codeOf('X'))).rejects.toThrow('100 promo codes are waiting');
  await start({ userId: 'joe' }).add(codeOf('J'));
  expect(await queue.waiting()).toHaveLength(100);
});

describe('while a code waits for its retry', () => {
  const page = new EventTarget();
  const failOnce = () => {
    let isDown = true;
    service = () => {
      const response = isDown ? lost : success;
      isDown = false;
      return response();
    };
  };

  test.each<[string, (queue: PromoCodeQueue) => unknown]>([
    ['another call of send', (queue) => queue.send()],
    ['the event online', () => page.dispatchEvent(new Event('online'))],
  ])('%s ends the pause', async (_, end) => {
    vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
    vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
    const queue = start();
    await queue.add(codeOf('A'));
    failOnce();
    const sending = queue.send();
    await vi.advanceTimersByTimeAsync(0);
    expect(reported).toEqual([]);
    const ending = end(queue);
    await Promise.all([sending, ending]);
    expect(reported).toMatchObject([{ result: { outcome: 'success' } }]);
  });

  test('a code that is added is sent at once', async () => {
    const queue = start();
    await queue.add(codeOf('BAD'));
    service = (code) => (code === 'B' ? success() : refusal(new errors.InternalServerError()));
    const sending = queue.send();
    await vi.advanceTimersByTimeAsync(0);
    await queue.add(codeOf('B'));
    void queue.send();
    await vi.advanceTimersByTimeAsync(0);
    expect(reported).toMatchObject([{ request: codeOf('B') }]);
    await vi.runAllTimersAsync();
    await sending;
  });
});

test('a code that was never sent does not become too old: it gets another date', async () => {
  vi.setSystemTime(NOW - 365 * 24 * HOUR);
  const queue = start({ retryMs: 0 });
  await queue.add(codeOf('A'));
  vi.setSystemTime(NOW);
  service = lost;
  expect(await sendAll(queue)).toEqual([['A', 'noAnswer', true]]);
  vi.setSystemTime(NOW + HOUR);
  service = success;
  expect(await sendAll()).toEqual([['A', 'success', false]]);
  expect(attempts).toEqual([
    ['A', 0],
    ['A', 0],
  ]);
});

test('a code that may have been accepted becomes 24 hours old, or as old as the app says', async () => {
  for (const [options, maxAgeMs] of [
    [{}, 24 * HOUR],
    [{ maxAgeMs: HOUR }, HOUR],
  ] as const) {
    vi.setSystemTime(NOW);
    const queue = start({ ...options, retryMs: 0 });
    await queue.add(codeOf('A'));
    service = lost;
    await sendAll(queue);
    vi.setSystemTime(NOW + maxAgeMs + 1);
    const requestDate = new Date(NOW);
    reported = [];
    await queue.send();
    const result = { outcome: 'tooOld', requestDate, requestId: undefined };
    expect(reported).toEqual([{ id: expect.any(String), request: codeOf('A'), result }]);
    expect(await sendAll(queue)).toEqual([]);
    vi.setSystemTime(NOW);
    await queue.add(codeOf('A'));
    await sendAll(queue);
    service = success;
    vi.setSystemTime(NOW + maxAgeMs);
    expect(await sendAll(queue)).toEqual([['A', 'success', false]]);
  }
});

/** A storage that takes a while, as a phone's does. */
const slowStorage: PromoCodeQueueOptions['storage'] = {
  getItem: async (key) => stored.get(key) ?? null,
  setItem: async (key, value) => {
    await new Promise((resolve) => setTimeout(resolve, 50));
    stored.set(key, value);
  },
};

test.each<[string, Service, boolean, [code: string, isSent: boolean][]]>([
  ['was applied', success, false, []],
  ['waits', () => refusal(new errors.UnauthorizedError()), false, [['A', false]]],
  ['is too old', success, true, []],
])(
  'when send ends, it is stored that a code %s, with a slow storage too',
  async (_, answer, isOld, expected) => {
    const settled = async <T>(promise: Promise<T>): Promise<T> => {
      await vi.runAllTimersAsync();
      return promise;
    };
    const queue = start({ storage: slowStorage, retryMs: 0 });
    await settled(queue.add(codeOf('A')));
    if (isOld) {
      service = lost;
      await settled(queue.send());
      vi.setSystemTime(NOW + 25 * HOUR);
    }
    service = answer;
    const atEnd = queue.send().then(() => JSON.parse(stored.get('promo-codes') ?? ''));
    const left: { request: ApplyPromoCodeRequest; isSent: boolean }[] = await settled(atEnd);
    expect(left.map(({ request, isSent }) => [request.promoCode, isSent])).toEqual(expected);
  },
);

describe('with a wrong clock', () => {
  /** A server whose clock is two days ahead, with a window of 24 hours. */
  const twoDaysAhead: Service = (_, date) => {
    const serverTime = Date.now() + 48 * HOUR;
    if (Math.abs(NOW + date - serverTime) <= 24 * HOUR) return success();
    return Response.json(errorEnvelope(wrongDate()), {
      headers: { Date: new Date(serverTime).toUTCString() },
    });
  };

  test('each code gets the corrected date, because none was accepted under its own', async () => {
    const queue = start();
    for (const code of ['A', 'B']) await queue.add(codeOf(code));
    service = twoDaysAhead;
    expect(await sendAll(queue)).toEqual([
      ['A', 'success', false],
      ['B', 'success', false],
    ]);
    expect(attempts).toEqual([
      ['A', 0],
      ['A', 48 * HOUR],
      ['B', 0],
      ['B', 48 * HOUR],
    ]);
  });

  test('the date of each attempt is stored before it is sent, with a slow storage too', async () => {
    const queue = start({ storage: slowStorage });
    const adding = queue.add(codeOf('A'));
    await vi.runAllTimersAsync();
    await adding;
    const storedAtAttempts: unknown[] = [];
    service = (code, date) => {
      const [{ requestDate, isSent }] = JSON.parse(stored.get('promo-codes') ?? '');
      storedAtAttempts.push([Date.parse(requestDate) - NOW, isSent]);
      return twoDaysAhead(code, date);
    };
    expect(await sendAll(queue)).toEqual([['A', 'success', false]]);
    const dates = attempts.map(([, date]) => date);
    expect(dates).toHaveLength(2);
    expect(storedAtAttempts).toEqual(dates.map((date) => [date, true]));
  });

  test('a code that is added after the correction has the right date from the start', async () => {
    const queue = start();
    await queue.add(codeOf('A'));
    service = twoDaysAhead;
    await sendAll(queue);
    await queue.add(codeOf('B'));
    const date = Date.now() - NOW + 48 * HOUR;
    await sendAll(queue);
    expect(attempts.slice(2)).toEqual([['B', date]]);
  });

  test('the corrected date is kept when the app ends before the answer', async () => {
    const queue = start({ retryMs: 0 });
    await queue.add(codeOf('A'));
    service = (code, date) => (date === 0 ? twoDaysAhead(code, date) : lost());
    expect(await sendAll(queue)).toEqual([['A', 'noAnswer', true]]);
    service = twoDaysAhead;
    expect(await sendAll()).toEqual([['A', 'success', false]]);
    expect(attempts.map(([, date]) => date)).toEqual([0, 48 * HOUR, 48 * HOUR]);
  });

  test.each<[string, () => void]>([
    ['nobody was signed in', () => Object.assign(session, { idToken: () => '' })],
    [
      'the token could not be found out',
      () => Object.assign(session, { idToken: () => Promise.reject(new Error('offline')) }),
    ],
    [
      'the token was refused',
      () => {
        service = () => refusal(new errors.TokenExpiredError());
      },
    ],
  ])('a code gets the corrected date after %s, because it was not accepted', async (_, fail) => {
    const queue = start({ retryMs: 0 });
    await queue.add(codeOf('A'));
    fail();
    expect(await sendAll(queue)).toEqual([['A', expect.any(String), true]]);
    Object.assign(session, { idToken: () => 'a.b.c' });
    service = twoDaysAhead;
    expect(await sendAll()).toEqual([['A', 'success', false]]);
    expect(attempts.at(-1)).toEqual(['A', 48 * HOUR]);
  });

  test('a code whose date cannot be corrected waits, because it was not accepted', async () => {
    const queue = start();
    await queue.add(codeOf('A'));
    service = () => Response.json(errorEnvelope(wrongDate()));
    expect(await sendAll(queue)).toEqual([['A', 'error', true]]);
    service = twoDaysAhead;
    expect(await sendAll()).toEqual([['A', 'success', false]]);
  });

  test('a code that may have been accepted under a date in the future waits for that date', async () => {
    const queue = start({ retryMs: 0 });
    await queue.add(codeOf('A'));
    service = lost;
    await sendAll(queue);
    const serverTime = NOW - 26 * HOUR;
    service = () =>
      Response.json(errorEnvelope(wrongDate()), {
        headers: { Date: new Date(serverTime).toUTCString() },
      });
    expect(await sendAll()).toEqual([['A', 'error', true]]);
    vi.setSystemTime(NOW - 24 * HOUR);
    service = success;
    expect(await sendAll()).toEqual([['A', 'success', false]]);
    expect(attempts.map(([, date]) => date)).toEqual([0, 0, 0]);
  });

  test('a code that may have been accepted is removed if its date is refused without a time of the server', async () => {
    const queue = start({ retryMs: 0 });
    await queue.add(codeOf('A'));
    service = lost;
    await sendAll(queue);
    service = () => Response.json(errorEnvelope(wrongDate()));
    expect(await sendAll()).toEqual([['A', 'error', false]]);
  });

  test('a code that may have been accepted keeps its date, and is removed once that is refused', async () => {
    const queue = start({ retryMs: 0 });
    await queue.add(codeOf('A'));
    service = lost;
    await sendAll(queue);
    service = twoDaysAhead;
    expect(await sendAll()).toEqual([['A', 'error', false]]);
    expect(attempts).toEqual([
      ['A', 0],
      ['A', 0],
    ]);
  });
});

describe('the storage', () => {
  const ENTRY = {
    ...{ id: '1', request: codeOf('A'), isSent: false },
    ...{ requestDate: new Date(NOW).toISOString(), datedAt: NOW },
  };

  test('may be localStorage, and has a key of the app', async () => {
    const storage = {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
    };
    const queue = start({ storage, key: 'of jane' });
    await queue.add(codeOf('A'));
    expect([...stored.keys()]).toEqual(['of jane']);
    expect(await sendAll(queue)).toEqual([['A', 'success', false]]);
  });

  test('has locks of its own for each key', async () => {
    const names: string[] = [];
    const lock: PromoCodeQueueOptions['lock'] = (name, run) => {
      names.push(name);
      return run();
    };
    for (const key of ['of jane', 'of joe']) {
      const queue = start({ key, lock });
      await queue.add(codeOf('A'));
      await queue.send(AbortSignal.abort());
    }
    expect(names).toEqual(['of jane change', 'of jane send', 'of joe change', 'of joe send']);
  });

  test('that fails makes add and send reject, and the next call works', async () => {
    const getItem = vi.fn().mockRejectedValueOnce(new Error('full')).mockResolvedValue(null);
    const queue = start({ storage: { getItem, setItem: () => {} } });
    await expect(queue.add(codeOf('A'))).rejects.toThrow('full');
    await expect(queue.add(codeOf('A'))).resolves.toEqual(expect.any(String));
    getItem.mockRejectedValueOnce(new Error('full'));
    await expect(queue.send()).rejects.toThrow('full');
    await expect(queue.send()).resolves.toBeUndefined();
  });

  test.each([
    '[{',
    'null',
    '{}',
    '[null, 1, {}, {"id": "1", "request": {}, "requestDate": "x", "datedAt": 1, "isSent": false}]',
    ...Object.keys(ENTRY).map((name) => JSON.stringify([{ ...ENTRY, [name]: undefined }])),
  ])('with %s, which the queue did not write, counts as empty', async (text) => {
    stored.set('promo-codes', text);
    expect(await sendAll(start())).toEqual([]);
    const queue = start();
    await queue.add(codeOf('A'));
    expect(await sendAll(queue)).toEqual([['A', 'success', false]]);
  });
});

test('no request is accepted under two dates and none is lost, wherever the app ends', async () => {
  const step = fc.constantFrom('ok', 'lost before', 'lost after', 'down', 'app ends' as const);
  const clock = fc.constantFrom(0, -48 * HOUR, 48 * HOUR);
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), clock, async (steps, offset) => {
      stored.clear();
      const accepted = new Map<string, Set<number>>();
      const left = [...steps];
      let isEnded = false;
      const accept: Service = (code, date) => {
        const serverTime = Date.now() + offset;
        if (Math.abs(NOW + date - serverTime) > 24 * HOUR) {
          const headers = { Date: new Date(serverTime).toUTCString() };
          return Response.json(errorEnvelope(wrongDate()), { headers });
        }
        accepted.set(code, (accepted.get(code) ?? new Set()).add(date));
        return success();
      };
      service = (code, date) => {
        const now = left.shift() ?? 'ok';
        if (now === 'lost before') return lost();
        if (now === 'down') return refusal(new errors.ServiceUnavailableError());
        const response = accept(code, date);
        isEnded ||= now === 'app ends';
        return now === 'ok' ? response : lost();
      };
      vi.setSystemTime(NOW);
      const first = start();
      for (const code of ['A', 'B', 'C']) await first.add(codeOf(code));
      reported = [];
      for (let run = 0; run < 20; run++) {
        // Codes under a date in the future wait until they are too old.
        if (run === 18) vi.setSystemTime(Date.now() + 72 * HOUR);
        isEnded = false;
        const storage = {
          getItem: async (key: string) => stored.get(key) ?? null,
          setItem: async (key: string, value: string) => {
            // An app that has ended stores nothing more.
            if (isEnded) throw new Error('ended');
            stored.set(key, value);
          },
        };
        const sending = start({ storage, retryMs: 500 })
          .send()
          .catch(() => {});
        await vi.runAllTimersAsync();
        await sending;
      }
      for (const dates of accepted.values()) expect(dates.size).toBe(1);
      // With a wrong clock, a code that may have been accepted is reported instead of being sent
      // under another date.
      if (offset === 0) expect([...accepted.keys()].sort()).toEqual(['A', 'B', 'C']);
      expect(JSON.parse(stored.get('promo-codes') ?? '')).toEqual([]);
      expect(reported.length).toBeLessThanOrEqual(3);
    }),
    { numRuns: 60 },
  );
});
