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
type Service = (code: string, date: number) => Response | Promise<Response>;

const refusal = (error: errors.ApiError) =>
  Response.json(errorEnvelope(error), { headers: { Date: new Date().toUTCString() } });
const success = () =>
  Response.json({ errors: [], warnings: [], notices: [], data: operation.example.data() });
const lost = () => {
  throw new TypeError('terminated');
};
/** The refusal of a date, with the time of the server or without it. */
const wrongDate = (serverTime?: number) => {
  const problems = [{ message: 'wrong', header: 'Request-Date' }] as const;
  const headers = serverTime && { Date: new Date(serverTime).toUTCString() };
  return Response.json(errorEnvelope(new errors.UnauthorizedError({ problems })), {
    headers: headers || {},
  });
};

let stored: Map<string, string>;
let service: Service;
/** The code and the date of each attempt, in hours from the start: `A 48`. */
let attempts: string[];
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
      attempts.push(`${promoCode} ${date / HOUR}`);
      return service(promoCode, date);
    },
  };
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** What is stored, as an object of its own for each app that starts. */
const memory = () => ({
  getItem: async (key: string) => stored.get(key) ?? null,
  setItem: async (key: string, value: string) => void stored.set(key, value),
});
/** A queue of an app that has just started: it knows only what is stored. */
const start = (change: Partial<PromoCodeQueueOptions> = {}, tab = promoCodeQueue) => {
  session = { ...session };
  return tab({
    session,
    userId: 'demo-user',
    onResult: (result) => reported.push(result),
    storage: memory(),
    ...change,
  });
};
const codeOf = (promoCode: string): ApplyPromoCodeRequest => ({
  ...operation.example.request,
  promoCode,
});
/** A queue of an app that has just started, and to which these codes were added. */
async function startWith(
  promoCodes: string[],
  change?: Partial<PromoCodeQueueOptions>,
): Promise<PromoCodeQueue> {
  const queue = start(change);
  for (const one of promoCodes) await queue.add(codeOf(one));
  return queue;
}
/** Sends. Returns the outcomes of the codes that were reported, then of those that wait. */
async function sendAll(queue = start(), signal?: AbortSignal) {
  reported = [];
  const sending = queue.send(signal);
  await vi.runAllTimersAsync();
  await sending;
  return [
    ...reported.map(({ request, result }) => `${request.promoCode} ${result.outcome}`),
    ...(await queue.waiting()).flatMap(({ request, lastResult }) =>
      lastResult ? [`${request.promoCode} ${lastResult.outcome} waits`] : [],
    ),
  ];
}
const codes = () => attempts.map((one) => one.split(' ')[0]);

test('codes are sent in order, each under the date at which it was added, and only once', async () => {
  const queue = start();
  const ids: string[] = [];
  for (const code of ['A', 'B', 'C']) {
    ids.push(await queue.add(codeOf(code)));
    vi.setSystemTime(Date.now() + HOUR);
  }
  const restarted = start();
  expect(await sendAll(restarted)).toEqual(['A success', 'B success', 'C success']);
  expect(reported.map(({ id }) => id)).toEqual(ids);
  expect(attempts).toEqual(['A 0', 'B 1', 'C 2']);
  expect(await sendAll(restarted)).toEqual([]);
});

test('codes that are added while others are sent lose nobody, and wait their turn', async () => {
  const queue = await startWith(['A']);
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

/** What becomes of A if its request fails in a way, and whether B, which follows, is sent. */
test.each<[why: string, failure: errors.ApiError | Service, ofA: string, isSentB: boolean]>([
  ['there is no connection', lost, 'noAnswer waits', false],
  ['the service is down', new errors.ServiceUnavailableError(), 'error waits', false],
  ['the token is expired', new errors.TokenExpiredError(), 'tokenExpired waits', false],
  ['there are too many requests', new errors.ThrottlingError(), 'error waits', false],
  ['something else answers', () => new Response('<html>'), 'notUnderstood waits', false],
  ['the customer is refused', new errors.ForbiddenError(), 'error waits', true],
  ['the client is not accepted', new errors.UnauthorizedError(), 'error waits', true],
  ['the service fails', new errors.InternalServerError(), 'error waits', true],
  ['it can never succeed', new errors.ValidationError([{ message: 'x' }]), 'error', true],
])('if %s, a code waits, is refused or stops those after it', async (_, failure, ofA, isSentB) => {
  const queue = await startWith(['A', 'B'], { retryMs: 0 });
  const fail = typeof failure === 'function' ? failure : () => refusal(failure);
  service = (code, date) => (code === 'B' ? success() : fail(code, date));
  const [waits, sent] = [ofA.endsWith(' waits'), isSentB ? ['B success'] : []];
  expect(await sendAll(queue)).toEqual(waits ? [...sent, `A ${ofA}`] : [`A ${ofA}`, ...sent]);
  service = success;
  expect(await sendAll()).toEqual([
    ...(waits ? ['A success'] : []),
    ...(isSentB ? [] : ['B success']),
  ]);
});

describe('two queues for what is stored', () => {
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
    ['the Web Locks API', () => ({})],
    ['a lock of the app', () => ({ lock: locks() })],
    ['one object for the storage', () => ({ storage: memory() })],
  ])('lose no code and send none twice, by %s', async (by, lockOptions) => {
    if (by === 'the Web Locks API') vi.stubGlobal('navigator', { locks: webLocks() });
    const options = lockOptions();
    const [one, other] = [start(options), start(options)];
    await Promise.all(
      ['A', 'B', 'C', 'D'].map((code, i) => (i % 2 ? one : other).add(codeOf(code))),
    );
    await Promise.all([sendAll(one), sendAll(other), sendAll(one)]);
    expect(codes()).toEqual(['A', 'B', 'C', 'D']);
  });
});

test('a signal that aborts ends the attempt in flight, and nothing is sent or stored after it', async () => {
  const queue = await startWith(['A', 'B']);
  const before = stored.get('promo-codes');
  await sendAll(queue, AbortSignal.abort());
  expect([codes(), stored.get('promo-codes')]).toEqual([[], before]);
  const controller = new AbortController();
  service = () => {
    controller.abort();
    return new Promise(() => {});
  };
  expect(await sendAll(queue, controller.signal)).toEqual(['A noAnswer waits']);
  expect([codes(), Date.now()]).toEqual([['A'], NOW]);
  service = success;
  expect(await sendAll()).toHaveLength(2);
});

describe('what an app learns of its codes', () => {
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
    const queue = await startWith(['A'], { retryMs: 0 });
    service = () => refusal(new errors.ForbiddenError());
    expect(await sendAll(queue)).toEqual(['A error waits']);
    vi.setSystemTime(NOW + 7 * 24 * HOUR);
    expect(await sendAll(start())).toEqual(['A error waits']);
    vi.setSystemTime(NOW + 7 * 24 * HOUR + 1);
    expect(await sendAll(start())).toEqual(['A error']);
  });
});

test('a code is neither sent nor listed nor removed for another customer of the phone', async () => {
  const queue = await startWith(['A']);
  const joes = start({ userId: 'joe' });
  await joes.add(codeOf('J'));
  expect(await sendAll(joes)).toEqual(['J success']);
  expect(await joes.waiting()).toEqual([]);
  await joes.clear();
  expect(await sendAll(queue)).toEqual(['A success']);
});

test('at most 100 codes of a customer wait, and add rejects another one', async () => {
  const queue = start();
  for (let index = 0; index < 100; index++) await queue.add(codeOf(`${index}`));
  await expect(queue.add(codeOf('X'))).rejects.toThrow('100 promo codes are waiting');
  await start({ userId: 'joe' }).add(codeOf('J'));
  expect(await queue.waiting()).toHaveLength(100);
});

test.each<[string, (queue: PromoCodeQueue, page: EventTarget) => unknown]>([
  ['another call of send', (queue) => queue.send()],
  ['the event online', (_, page) => page.dispatchEvent(new Event('online'))],
])('while a code waits for its retry, %s ends the pause', async (_, end) => {
  const page = new EventTarget();
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
  const queue = await startWith(['A']);
  service = lost;
  const sending = queue.send();
  await vi.advanceTimersByTimeAsync(0);
  expect(reported).toEqual([]);
  service = success;
  await Promise.all([sending, end(queue, page)]);
  expect(reported).toMatchObject([{ result: { outcome: 'success' } }]);
});

test('a code that was never sent does not become too old: it gets another date', async () => {
  vi.setSystemTime(NOW - 365 * 24 * HOUR);
  const queue = await startWith(['A'], { retryMs: 0 });
  vi.setSystemTime(NOW);
  service = lost;
  expect(await sendAll(queue)).toEqual(['A noAnswer waits']);
  vi.setSystemTime(NOW + HOUR);
  service = success;
  expect(await sendAll()).toEqual(['A success']);
  expect(attempts).toEqual(['A 0', 'A 0']);
});

test('a code that may have been accepted becomes 24 hours old, or as old as the app says', async () => {
  for (const [options, maxAgeMs] of [
    [{}, 24 * HOUR],
    [{ maxAgeMs: HOUR }, HOUR],
  ] as const) {
    vi.setSystemTime(NOW);
    const queue = await startWith(['A'], { ...options, retryMs: 0 });
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
    expect(await sendAll(queue)).toEqual(['A success']);
  }
});

describe('with a wrong clock', () => {
  /** A server whose clock is two days ahead, with a window of 24 hours. */
  const twoDaysAhead: Service = (_, date) => {
    const serverTime = Date.now() + 48 * HOUR;
    return Math.abs(NOW + date - serverTime) <= 24 * HOUR ? success() : wrongDate(serverTime);
  };

  test('each code gets the corrected date, because none was accepted under its own', async () => {
    const queue = await startWith(['A', 'B']);
    service = twoDaysAhead;
    expect(await sendAll(queue)).toEqual(['A success', 'B success']);
    expect(attempts).toEqual(['A 0', 'A 48', 'B 0', 'B 48']);
    // One that is added later has the right date from the start.
    await queue.add(codeOf('C'));
    await sendAll(queue);
    expect(attempts.slice(4)).toEqual([`C ${(Date.now() - NOW) / HOUR + 48}`]);
  });

  const offline = () => Promise.reject(new Error('offline'));
  test.each<[string, idToken: Session['idToken'], Service]>([
    ['nobody was signed in', () => '', success],
    ['the token could not be found out', offline, success],
    ['the token was refused', () => 'a.b.c', () => refusal(new errors.TokenExpiredError())],
    ['its date was refused without another one', () => 'a.b.c', () => wrongDate()],
  ])('a code gets the corrected date after %s, because it was not accepted', async (...row) => {
    const [, idToken, failing] = row;
    [session, service] = [{ ...session, idToken }, failing];
    const queue = await startWith(['A'], { retryMs: 0 });
    expect(await sendAll(queue)).toEqual([expect.stringMatching(/^A .* waits$/)]);
    session = { ...session, idToken: () => 'a.b.c' };
    service = twoDaysAhead;
    expect(await sendAll()).toEqual(['A success']);
    expect(attempts.at(-1)).toBe('A 48');
  });

  test('a code that may have been accepted under a date in the future waits for that date', async () => {
    const queue = await startWith(['A'], { retryMs: 0 });
    service = lost;
    await sendAll(queue);
    service = () => wrongDate(NOW - 26 * HOUR);
    expect(await sendAll()).toEqual(['A error waits']);
    vi.setSystemTime(NOW - 24 * HOUR);
    service = success;
    expect(await sendAll()).toEqual(['A success']);
    expect(attempts).toEqual(['A 0', 'A 0', 'A 0']);
  });

  test.each([
    ['a time of the server', undefined],
    ['a correction', NOW + 48 * HOUR],
  ])(
    'a code that may have been accepted is removed if its date is refused without %s',
    async (_, serverTime) => {
      const queue = await startWith(['A'], { retryMs: 0 });
      service = lost;
      await sendAll(queue);
      service = () => wrongDate(serverTime);
      expect(await sendAll()).toEqual(['A error']);
      expect(attempts).toEqual(['A 0', 'A 0']);
    },
  );
});

describe('the storage', () => {
  const ENTRY = {
    ...{ id: '1', request: codeOf('A'), isSent: false },
    ...{ requestDate: new Date(NOW).toISOString(), datedAt: NOW },
  };

  test('may be localStorage, without a navigator, and has a key of the app', async () => {
    vi.stubGlobal('navigator', undefined);
    const storage = {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
    };
    const queue = await startWith(['A'], { storage, key: 'of jane' });
    expect([...stored.keys()]).toEqual(['of jane']);
    expect(await sendAll(queue)).toEqual(['A success']);
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
    '{}',
    '[null, 1, {}, {"id": "1", "request": {}, "requestDate": "x", "datedAt": 1, "isSent": false}]',
    ...Object.keys(ENTRY).map((name) => JSON.stringify([{ ...ENTRY, [name]: undefined }])),
  ])('with %s, which the queue did not write, counts as empty', async (text) => {
    stored.set('promo-codes', text);
    expect(await sendAll(start())).toEqual([]);
    const queue = await startWith(['A']);
    expect(await sendAll(queue)).toEqual(['A success']);
  });
});

test('no request is accepted under two dates and none is lost, wherever the app ends', async () => {
  const step = fc.constantFrom('ok', 'lost before', 'lost after', 'down', 'app ends' as const);
  const clock = fc.constantFrom(0, -48 * HOUR, 48 * HOUR);
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 12 }),
      clock,
      fc.boolean(),
      async (steps, offset, isLate) => {
        stored.clear();
        const accepted = new Map<string, Set<number>>();
        const left = [...steps];
        let isEnded = false;
        const accept: Service = (code, date) => {
          const serverTime = Date.now() + offset;
          if (Math.abs(NOW + date - serverTime) > 24 * HOUR) return wrongDate(serverTime);
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
        await startWith(['A', 'B', 'C']);
        reported = [];
        for (let run = 0; run < 20; run++) {
          // Codes under a date in the future wait until they are too old. Phones are switched off.
          if (run === 18 || (isLate && run === 1)) vi.setSystemTime(Date.now() + 72 * HOUR);
          isEnded = false;
          const storage = {
            ...memory(),
            setItem: async (key: string, value: string) => {
              // It takes a while, as a phone's does. An app that has ended stores nothing more.
              await new Promise((resolve) => setTimeout(resolve, 50));
              if (isEnded) throw new Error('ended');
              stored.set(key, value);
            },
          };
          const sending = start({ storage, retryMs: 500 })
            .send()
            .catch(() => {})
            .finally(() => {
              isEnded = true;
            });
          await vi.runAllTimersAsync();
          await sending;
        }
        const outcomes = reported.map(({ request, result }) => [request.promoCode, result.outcome]);
        expect(outcomes.map(([code]) => code).sort()).toEqual(['A', 'B', 'C']);
        for (const [code, dates] of accepted) {
          expect(dates.size).toBe(1);
          if (!isLate) expect(outcomes).toContainEqual([code, 'success']);
        }
        // With a wrong clock, a code that may have been accepted is reported instead of being sent
        // under another date.
        if (offset === 0 && !isLate) expect([...accepted.keys()].sort()).toEqual(['A', 'B', 'C']);
        expect(JSON.parse(stored.get('promo-codes') ?? '')).toEqual([]);
      },
    ),
    {
      numRuns: 60,
      examples: [
        [['app ends'], 0, true],
        [['ok', 'app ends'], 48 * HOUR, false],
      ],
    },
  );
});
