import { errorEnvelope, errors, applyPromoCode as operation } from 'customer-data-api/operations';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type ApplyPromoCodeRequest,
  type PromoCodeQueue,
  type PromoCodeQueueOptions,
  promoCodeQueue,
  type QueuedResult,
  type Session,
} from '../../src/index.ts';
import { webLocks } from '../support/web-locks.ts';

const NOW = Date.parse('2026-11-20T09:30:00.000Z');
const HOUR = 60 * 60 * 1000;

/** Returns the answer of the service to a request with a code and a date. */
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
    status: 401,
    headers: headers || {},
  });
};

/** The time of a service that accepts dates within 24 hours of it. */
let serverClock: number;
const within = (_: string, date: number): Response =>
  Math.abs(NOW + date - serverClock) <= 24 * HOUR ? success() : wrongDate(serverClock);

let stored: Map<string, string>;
let service: Service;
/** The code and the date of each attempt, in hours from the start: `A 48`. */
let attempts: string[];
let session: Session;
let reported: QueuedResult[];
let kept: QueuedResult[];
/** The values in the storage that are no entries. */
let told: unknown[];
beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
  // As in React Native, which has neither. Node has both.
  vi.stubGlobal('navigator', {});
  vi.stubGlobal('BroadcastChannel', undefined);
  stored = new Map();
  [reported, kept, told] = [[], [], []];
  service = success;
  attempts = [];
  session = {
    baseUrl: 'https://api.example.com',
    appId: 'key',
    deviceId: 'device',
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

/** The storage, as an object of its own for each app that starts. */
const memory = () => ({
  getItem: async (key: string) => stored.get(key) ?? null,
  setItem: async (key: string, value: string) => void stored.set(key, value),
});
/** A queue of an app that has just started: it knows only what is stored. */
const start = (change: Partial<PromoCodeQueueOptions> = {}, tab = promoCodeQueue) => {
  session = { ...session };
  return tab({
    session,
    clientId: 'demo',
    userId: 'demo-user',
    onResult: (result) => reported.push(result),
    onKept: (result) => kept.push(result),
    onUnreadable: (found) => told.push(found),
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
/** The elements of a stored list, or what is stored instead. */
function listIn(text: string): unknown[] {
  try {
    return [JSON.parse(text)].flat();
  } catch {
    return [text];
  }
}
const codes = () => attempts.map((one) => one.split(' ')[0]);

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

  test.each<[string, () => Partial<PromoCodeQueueOptions>]>([
    ['the Web Locks API', () => ({ storage: memory() })],
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

  const denied = () => {
    throw new DOMException('This frame has no origin.', 'SecurityError');
  };
  test.each<[string, object]>([
    ['the platform has no Web Locks API', {}],
    ['the platform denies it', { locks: { request: async () => denied() } }],
    ['the platform denies it at once', { locks: { request: denied } }],
    [
      'the platform denies to look at it',
      {
        get locks() {
          return denied();
        },
      },
    ],
  ])('lose no code if each wraps the storage in an object and %s', async (_, navigator) => {
    vi.stubGlobal('navigator', navigator);
    const queues = [start(), start()];
    const added = await Promise.all(
      ['A', 'B', 'C', 'D'].map((code, i) => queues[i % 2]?.add(codeOf(code))),
    );
    expect((await start().waiting()).map(({ id }) => id)).toEqual(added);
    await Promise.all(queues.map((queue) => sendAll(queue)));
    expect([...new Set(codes())]).toEqual(['A', 'B', 'C', 'D']);
    expect(await start().waiting()).toEqual([]);
  });

  test.each<[string, object]>([
    ['the Web Locks API', { locks: webLocks() }],
    ['none', {}],
  ])('of two storages do not wait for the network of each other, with %s', async (_, navigator) => {
    vi.stubGlobal('navigator', navigator);
    service = () => new Promise(() => {});
    const slow = start();
    await slow.add(codeOf('A'));
    void slow.send();
    await vi.waitFor(() => expect(codes()).toEqual(['A']));
    service = success;
    const own = new Map<string, string>();
    const queue = start({
      storage: {
        getItem: (key) => own.get(key),
        setItem: (key, value) => void own.set(key, value),
      },
    });
    await queue.add(codeOf('B'));
    await queue.send();
    expect(codes()).toEqual(['A', 'B']);
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

describe('a queue that is closed when the customer signs out', () => {
  test('ends the request in flight, and calls nothing from then on; the next sign-in sends the codes', async () => {
    const queue = await startWith(['A']);
    service = () => {
      queue.close();
      return new Promise(() => {});
    };
    expect(await sendAll(queue)).toEqual(['A noAnswer waits']);
    expect([codes(), kept, Date.now()]).toEqual([['A'], [], NOW]);
    service = success;
    // A tap that comes late loses nothing.
    await queue.add(codeOf('B'));
    expect([codes(), reported, kept]).toEqual([['A'], [], []]);
    expect(await sendAll(start())).toEqual(['A success', 'B success']);
    expect(attempts).toEqual(['A 0', 'A 0', 'B 0']);
  });

  test.each<[string, Service, attempts: string[], result: string]>([
    ['a success', success, ['A 0', 'A 0'], 'A success'],
    ['the success of another date', within, ['A 0', 'A 48', 'A 48'], 'A success'],
    ['a refusal', () => refusal(new errors.PayloadTooLargeError('x')), ['A 0', 'A 0'], 'A error'],
  ])('leaves %s that arrives then to the next sign-in', async (_, answer, dates, result) => {
    [service, serverClock] = [answer, NOW + 48 * HOUR];
    const setItem = async (key: string, value: string) => {
      if (value === '[]') queue.close();
      stored.set(key, value);
    };
    const queue: PromoCodeQueue = start({ storage: { ...memory(), setItem } });
    await queue.add(codeOf('A'));
    expect(await sendAll(queue)).toEqual([]);
    expect(await queue.waiting()).toHaveLength(1);
    expect(await sendAll(start())).toEqual([result]);
    expect(attempts).toEqual(dates);
  });

  test('ends its pause', async () => {
    const queue = await startWith(['A']);
    service = lost;
    const sending = queue.send();
    await vi.advanceTimersByTimeAsync(100);
    queue.close();
    await sending;
    expect(Date.now() - NOW).toBe(100);
  });

  test('listens to other tabs no more, however often customers sign in', async () => {
    const open = new Set<object>();
    class Channel {
      onmessage = (_: { data: unknown }) => {};
      constructor() {
        open.add(this);
      }
      postMessage() {}
      close() {
        open.delete(this);
      }
    }
    vi.stubGlobal('BroadcastChannel', Channel);
    for (let signIn = 0; signIn < 3; signIn++) start().close();
    expect(open.size).toBe(0);
  });
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
    const otherTab = (await import('../../src/index.ts')).promoCodeQueue;
    open('second tab of joe', 'joe', otherTab);
    open('second tab', 'demo-user', otherTab);
    await queue.add(codeOf('A'));
    await queue.send();
    await vi.waitFor(() => expect(results).toEqual(['first tab A', 'second tab A']));
  });
});

test.each<[string, (queue: PromoCodeQueue, page: EventTarget) => unknown, ms: number]>([
  ['another call of send', (queue) => queue.send(), 1000],
  ['the event online', (_, page) => page.dispatchEvent(new Event('online')), 0],
])('while a code waits for its retry, %s ends the pause', async (_, end, ms) => {
  const page = new EventTarget();
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
  const queue = await startWith(['A']);
  service = lost;
  const sending = queue.send();
  await vi.advanceTimersByTimeAsync(0);
  expect(reported).toEqual([]);
  service = success;
  vi.spyOn(Math, 'random').mockReturnValue(0.99);
  const ended = end(queue, page);
  await vi.advanceTimersByTimeAsync(ms);
  await Promise.all([sending, ended]);
  expect(reported).toMatchObject([{ result: { outcome: 'success' } }]);
});

test.each<[string, retryMs?: number]>([
  ['in a callback'],
  ['in a callback, without retries', 0],
  ['by a timer'],
  ['by a timer, without retries', 0],
])('send that is called %s makes an attempt each second at most', async (how, retryMs) => {
  const sentAt: number[] = [];
  service = async () => {
    sentAt.push(Date.now() - NOW);
    await new Promise((resolve) => setTimeout(resolve, 50));
    return lost();
  };
  const sends = () => void queue.send();
  const queue = await startWith(['A', 'B'], {
    ...(retryMs !== undefined && { retryMs }),
    ...(how.startsWith('in') && { onKept: sends }),
  });
  const timer = how.startsWith('by') ? setInterval(sends, 7) : undefined;
  sends();
  await vi.advanceTimersByTimeAsync(3200);
  clearInterval(timer);
  queue.close();
  expect(sentAt).toHaveLength(4);
});

test('a code that waits for the service for more than a week stays', async () => {
  service = () => refusal(new errors.ServiceUnavailableError());
  const queue = await startWith(['A'], { retryMs: 0 });
  for (const days of [0, 8]) {
    vi.setSystemTime(NOW + days * 24 * HOUR);
    expect(await sendAll(queue)).toEqual(['A error waits']);
  }
});

test('nothing is sent before the Retry-After of a response, whatever calls send', async () => {
  const page = new EventTarget();
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
  const queue = await startWith(['A', 'B']);
  const sentAt: number[] = [];
  service = () => {
    sentAt.push(Date.now() - NOW);
    const headers = { 'Retry-After': '5' };
    return Response.json(errorEnvelope(new errors.InternalServerError()), { headers });
  };
  const sending = [queue.send()];
  for (let second = 0; second < 5; second++) {
    await vi.advanceTimersByTimeAsync(999);
    page.dispatchEvent(new Event('online'));
    sending.push(queue.send());
  }
  expect(sentAt).toEqual([0]);
  service = success;
  await vi.runAllTimersAsync();
  await Promise.all(sending);
  expect(codes()).toEqual(['A', 'A', 'B']);
});

describe('the storage', () => {
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

  test('that hangs makes a call reject, and a write that comes late overwrites no newer list', async () => {
    const writes: (() => void)[] = [];
    const setItem = (key: string, value: string) =>
      new Promise<void>((resolve) => {
        writes.push(() => {
          stored.set(key, value);
          resolve();
        });
      });
    const [first, second] = [1, 2].map(() => start({ storage: { ...memory(), setItem } }));
    const ends: string[] = [];
    for (const [code, queue] of [
      ['A', first],
      ['B', second],
    ] as const) {
      queue?.add(codeOf(code)).then(
        () => ends.push(`${code} is stored`),
        (failure) => ends.push(failure.message),
      );
    }
    await vi.runAllTimersAsync();
    expect(ends).toEqual([expect.stringMatching(/timed out/), expect.stringMatching(/timed out/)]);
    while (writes.length > 0) {
      writes.shift()?.();
      await vi.runAllTimersAsync();
    }
    expect((await start().waiting()).map(({ request }) => request.promoCode)).toEqual(['A', 'B']);
    const hangs = start({ storage: { getItem: () => new Promise<never>(() => {}), setItem } });
    for (const call of [hangs.waiting, hangs.send]) {
      const settled = expect(call()).rejects.toThrow('timed out');
      await vi.runAllTimersAsync();
      await settled;
    }
  });

  test('whatever it has, each code in it is sent, and the rest is set aside and told', async () => {
    const entryOf = (promoCode: string) => ({
      id: `id of ${promoCode}`,
      request: codeOf(promoCode),
      requestDate: new Date(NOW).toISOString(),
    });
    const entry = entryOf('X');
    /** An entry of which one value is another, or is missing. */
    const damaged = fc
      .tuple(
        fc.constantFrom<[string, string?]>(
          ...[...Object.keys(entry), 'refusedAt'].map((name) => [name] as [string]),
          ...Object.keys(entry.request).map((name) => ['request', name] as [string, string]),
        ),
        fc.constantFrom(null, [], {}, true),
      )
      .map(([[name, inner], value]) => ({
        ...entry,
        [name]: inner ? { ...entry.request, [inner]: value } : value,
      }));
    const listed = fc.array(fc.oneof(fc.constant('code'), damaged, fc.jsonValue()), {
      maxLength: 6,
    });
    const content = fc.oneof(
      listed.map((all) => all.map((one, index) => (one === 'code' ? entryOf(`${index}`) : one))),
      fc.jsonValue(),
    );
    const text = fc.oneof(
      content.map((one) => JSON.stringify(one)),
      fc.string({ minLength: 1 }),
    );
    await fc.assert(
      fc.asyncProperty(text, async (before) => {
        const all = listIn(before);
        const sent = all.flatMap((one) => {
          const { id, request } = Object(one);
          return id === `id of ${request?.promoCode}` && id !== entry.id ? [request.promoCode] : [];
        });
        stored = new Map([
          ['promo-codes', before],
          ['promo-codes unreadable', '"earlier"'],
        ]);
        [told, attempts] = [[], []];
        const other = await start({ clientId: 'acme' }).add(codeOf('of another client'));
        const queue = start();
        await queue.remove(other);
        expect(await queue.waiting()).toHaveLength(sent.length);
        await sendAll(queue);
        await queue.clear();
        expect(codes()).toEqual(sent);
        expect(told).toHaveLength(all.length - sent.length);
        expect(listIn(stored.get('promo-codes unreadable') ?? '')).toEqual(
          told.length > 0 ? ['earlier', ...told] : ['earlier'],
        );
        expect(JSON.parse(stored.get('promo-codes') ?? '')).toMatchObject([
          { request: { clientId: 'acme' } },
        ]);
      }),
      {
        examples: [[JSON.stringify([{ ...entry, request: null }, entryOf('A')])], ['[{'], ['null']],
      },
    );
  });

  test('of which a code cannot be removed, makes it neither sent nor told again', async () => {
    const queue = await startWith(['A', 'B']);
    const before = `[null,${stored.get('promo-codes')?.slice(1)}`;
    stored.set('promo-codes', before);
    const full = {
      ...memory(),
      setItem: vi.fn().mockRejectedValue(new Error('full')),
    };
    const ofFull = start({ storage: full });
    for (let call = 0; call < 3; call++) {
      await expect(ofFull.send()).rejects.toThrow('full');
      expect(await ofFull.waiting()).toEqual([]);
    }
    expect(reported.map(({ request }) => request.promoCode)).toEqual(['A', 'B']);
    expect([codes(), stored.get('promo-codes')]).toEqual([['A', 'B'], before]);
    full.setItem.mockImplementation(memory().setItem);
    expect(await sendAll(ofFull)).toEqual([]);
    expect(await queue.waiting()).toEqual([]);
  });

  test('gets no code that is not made of strings', async () => {
    const request = { ...codeOf('A'), promoCode: 1 as unknown as string };
    await expect(start().add(request)).rejects.toThrow();
    expect(stored.size).toBe(0);
  });
});

test('no code is lost, and none has a second date that the service accepts, wherever the app ends', async () => {
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
        service = (code, date) => {
          // An app that has ended sends nothing more.
          if (isEnded) return lost();
          const now = left.shift() ?? 'ok';
          if (now === 'lost before') return lost();
          if (now === 'down') return refusal(new errors.ServiceUnavailableError());
          serverClock = Date.now() + offset;
          const response = within(code, date);
          isEnded ||= now === 'app ends';
          if (response.status === 200)
            accepted.set(code, (accepted.get(code) ?? new Set()).add(date));
          return now === 'ok' ? response : lost();
        };
        vi.setSystemTime(NOW);
        await startWith(['A', 'B', 'C']);
        reported = [];
        for (let run = 0; run < 20; run++) {
          // The phone is switched off for three days.
          if (isLate && run === 1) vi.setSystemTime(Date.now() + 72 * HOUR);
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
        for (const code of ['A', 'B', 'C']) {
          expect(outcomes).toContainEqual([code, 'success']);
          // Only a date that has become too old gets a successor.
          expect(accepted.get(code)?.size).toBeLessThanOrEqual(isLate ? 2 : 1);
        }
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
