import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type PromoCodeQueue, promoCodeQueue, type QueuedResult } from '../../src/index.ts';
import vectors from '../../test-vectors/queue.json' with { type: 'json' };

/* The rules of the queue, as vectors: the lane `queues` compares the queue in Kotlin with them. */

const HOUR = 60 * 60 * 1000;
const START = Date.parse(vectors.start);

type Scenario = (typeof vectors.scenarios)[number];
/** A step, in the form of `format` of the vectors. */
type Step = Readonly<Record<string, unknown>>;
type Seen = Record<string, string[] | number | boolean | unknown>;

beforeEach(() => {
  vi.useFakeTimers({ now: START });
  vi.stubGlobal('navigator', {});
  vi.stubGlobal('BroadcastChannel', undefined);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test.each<Scenario>(vectors.scenarios)('$name', async ({ steps }) => {
  const app = appOf();
  const seen: Step[] = [];
  for (const step of steps as readonly Step[]) {
    const { see: _, ...does } = step;
    const see = await app(does);
    seen.push({ ...does, ...(Object.keys(see).length > 0 && { see }) });
  }
  expect(seen).toEqual(steps);
});

/** Returns a function that does a step of an app and returns what it shows. */
function appOf(): (step: Step) => Promise<Seen> {
  const stored = new Map<string, string>();
  const storage = {
    getItem: async (key: string) => stored.get(key),
    setItem: async (key: string, value: string) => {
      if (isFull) throw new Error('The storage is full.');
      stored.set(key, value);
    },
  };
  let [isFull, sendsWhenKept] = [false, false];
  let [token, userId, server]: [string, string, number?] = ['a.b.c', vectors.request.userId];
  let answers: string[] = [];
  let stopping: AbortController;
  let seen: Seen = {};
  const see = (name: string, value: string) => {
    seen[name] = [...((seen[name] as string[] | undefined) ?? []), value];
  };
  const count = (name: string) => {
    seen[name] = ((seen[name] as number | undefined) ?? 0) + 1;
  };
  const tell =
    (name: string) =>
    ({ request, result }: QueuedResult) =>
      see(name, `${request.promoCode} ${result.outcome}`);
  const answer: typeof fetch = async (_url, init) => {
    const { promoCode } = JSON.parse(String(init?.body));
    const date = Date.parse(new Headers(init?.headers).get('Request-Date') ?? '');
    see('sent', `${promoCode} ${Math.round((date - START) / HOUR)}`);
    const name = answers.shift() as keyof typeof vectors.answers;
    const { status, body, retryAfter, during } = vectors.answers[name] as Partial<Answer>;
    if (during === 'close') queue.close();
    if (during === 'stop') stopping.abort();
    if (during === 'remove') await queue.remove((await queue.waiting())[0]?.id ?? '');
    // Not awaited: it waits for its turn.
    if (during === 'send') void queue.send();
    if (!status) throw new TypeError('The connection is lost.');
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const headers = new Headers(retryAfter ? { 'Retry-After': retryAfter } : {});
    if (server !== undefined) headers.set('Date', new Date(server).toUTCString());
    return new Response(text, { status, headers });
  };
  const newQueue = () =>
    promoCodeQueue({
      session: {
        baseUrl: 'https://service.test',
        appId: 'key',
        deviceId: null,
        idToken: () => token,
        refreshTokens: () => count('refreshes'),
        fetch: answer,
      },
      storage,
      clientId: vectors.request.clientId,
      userId,
      onResult: tell('told'),
      onKept: (result) => {
        tell('kept')(result);
        if (sendsWhenKept) void queue.send();
      },
      onUnreadable: () => count('unreadable'),
      retryMs: 0,
    });
  let queue: PromoCodeQueue = newQueue();
  const at = (hours: unknown) => START + Number(hours) * HOUR;
  const does: Readonly<Record<string, (value: never, step: Step) => unknown>> = {
    phone: (hours: number) => vi.setSystemTime(at(hours)),
    server: (hours: number) => {
      server = at(hours);
    },
    token: (value: string) => {
      token = value;
    },
    user: (value: string) => {
      userId = value;
      queue = newQueue();
    },
    close: () => queue.close(),
    restart: () => {
      queue = newQueue();
    },
    store: (text: string) => stored.set('promo-codes', text),
    full: (value: boolean) => {
      isFull = value;
    },
    sendsWhenKept: () => {
      sendsWhenKept = true;
    },
    remove: async (place: number) => queue.remove((await queue.waiting())[place]?.id ?? ''),
    clear: () => queue.clear(),
    aside: () => {
      seen.aside = JSON.parse(stored.get('promo-codes unreadable') ?? '');
    },
    add: async (change: object, { times }: { readonly times?: number }) => {
      const request = { ...vectors.request, ...change };
      for (let code = 0; code < (times ?? 0); code++) {
        await queue.add({ ...request, promoCode: String(code) });
      }
      if (times) return;
      try {
        const id = await queue.add(request);
        seen.place = (await queue.waiting()).findIndex((one) => one.id === id);
      } catch {
        seen.error = true;
      }
    },
    send: async (names: readonly string[]) => {
      answers = [...names];
      let isDone = false;
      stopping = new AbortController();
      const sending = queue.send(stopping.signal).then(
        () => {
          isDone = true;
        },
        () => {
          isDone = seen.error = true;
        },
      );
      await vi.advanceTimersByTimeAsync(0);
      // After another call, a second has to pass.
      if (!isDone) await vi.advanceTimersByTimeAsync(1000);
      await sending;
      for (const name of answers) see('unsent', name);
      for (const { request } of await queue.waiting()) see('waiting', request.promoCode);
    },
  };
  return async (step) => {
    seen = {};
    for (const [name, value] of Object.entries(step)) await does[name]?.(value as never, step);
    return seen;
  };
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly retryAfter: string;
  readonly during: 'close' | 'stop' | 'remove' | 'send';
}
