import { fileURLToPath } from 'node:url';
import { errorEnvelope, errors, applyPromoCode as operation } from 'customer-data-api/operations';
import { build } from 'esbuild';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { promoCodeQueue, QueuedResult } from '../../src/index.ts';
import { webLocks } from '../support/web-locks.ts';

/* Tabs of a browser, each with a module and timers of its own. The system can suspend one. */

const NOW = Date.parse('2026-11-20T09:30:00.000Z');
const HOUR = 60 * 60 * 1000;

const { outputFiles } = await build({
  entryPoints: [fileURLToPath(new URL('../../src/index.ts', import.meta.url))],
  bundle: true,
  write: false,
  format: 'iife',
  globalName: 'sdk',
});
const program = `${outputFiles[0]?.text}; return sdk;`;

let stored: Map<string, string>;
let locks: ReturnType<typeof webLocks>;
/** The lead of the server's clock. */
let offset: number;
/** Each attempt: the tab, and the date in hours from the start. */
let attempts: string[];
let accepted: Set<number>;
let reported: QueuedResult[];
beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
  [stored, locks, accepted] = [new Map(), webLocks(), new Set()];
  [attempts, reported] = [[], []];
});
afterEach(() => vi.useRealTimers());

/** Answers a request, as the service does with its clock. */
function answer(date: number): Response {
  const isRight = Math.abs(date - Date.now() - offset) <= 24 * HOUR;
  if (isRight) accepted.add(date);
  const problems = [{ message: 'wrong', header: 'Request-Date' }] as const;
  const body = isRight
    ? { errors: [], warnings: [], notices: [], data: operation.example.data() }
    : errorEnvelope(new errors.UnauthorizedError({ problems }));
  return Response.json(body, { headers: { Date: new Date(Date.now() + offset).toUTCString() } });
}

/**
 * Opens a tab.
 *
 * @param suspendedAt the number of the event with which it is suspended: of all that it waits for.
 */
function open(name: string, suspendedAt?: number) {
  const resumed = Promise.withResolvers<void>();
  let events = 0;
  /** Nothing reaches the tab while it is suspended. */
  const arrival = async () => {
    if (suspendedAt !== undefined && ++events >= suspendedAt) await resumed.promise;
  };
  const arrives = async <T>(result: Promise<T> | T): Promise<T> => {
    await Promise.allSettled([result]);
    await arrival();
    return result;
  };
  const page = {
    navigator: {
      locks: {
        request: async (turn: string, options: object, run: () => unknown) => {
          await arrival();
          return locks.request(turn, options, () => arrives(undefined).then(run));
        },
      },
    },
  };
  const start = new Function('globalThis', 'setTimeout', program);
  const sdk: { promoCodeQueue: typeof promoCodeQueue } = start(
    page,
    (run: () => void, ms: number) => setTimeout(() => void arrival().then(run), ms),
  );
  const queue = sdk.promoCodeQueue({
    session: {
      baseUrl: 'https://api.example.com',
      appId: 'key',
      deviceId: null,
      idToken: () => arrives('a.b.c'),
      fetch: (_, init) => {
        const date = Date.parse(new Headers(init?.headers).get('Request-Date') ?? '');
        attempts.push(`${name} ${(date - NOW) / HOUR}`);
        return arrives(answer(date));
      },
    },
    storage: {
      getItem: (key) => arrives(stored.get(key)),
      setItem: (key, value) => arrives(stored.set(key, value)),
    },
    clientId: 'demo',
    userId: 'demo-user',
    onResult: (result) => reported.push(result),
  });
  return { queue, resume: resumed.resolve, isSuspended: () => events >= (suspendedAt ?? Infinity) };
}

test('the codes of a tab that was suspended while it sent are sent by another one after 25 seconds', async () => {
  offset = 0;
  await open('first').queue.add(operation.example.request);
  const first = open('first', 7);
  void first.queue.send();
  await vi.advanceTimersByTimeAsync(0);
  expect(attempts).toEqual(['first 0']);
  void open('second').queue.send();
  await vi.advanceTimersByTimeAsync(24_999);
  expect(reported).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect([attempts, reported]).toEqual([
    ['first 0', 'second 0'],
    [expect.objectContaining({ result: expect.objectContaining({ outcome: 'success' }) })],
  ]);
});

test.each([0, 48])(
  'wherever a tab is suspended, with a clock that is %i hours behind, each code is applied once',
  async (hours) => {
    offset = hours * HOUR;
    let suspended = 0;
    for (let event = 1; event <= 40; event++) {
      [stored, locks, accepted] = [new Map(), webLocks(), new Set()];
      [attempts, reported] = [[], []];
      await open('first').queue.add(operation.example.request);
      const first = open('first', event);
      const calls = Promise.allSettled([first.queue.send(), open('second').queue.send()]);
      await vi.advanceTimersByTimeAsync(60_000);
      if (first.isSuspended()) suspended++;
      first.resume();
      await vi.advanceTimersByTimeAsync(60_000);
      await calls;
      const last = open('third').queue.send();
      await vi.runAllTimersAsync();
      await last;
      expect(accepted.size, attempts.join()).toBe(1);
      // Both tabs report it, if one could not remove it because the other one held the storage.
      expect(new Set(reported.map(({ result }) => result.outcome))).toEqual(new Set(['success']));
      expect(stored.get('promo-codes')).toBe('[]');
    }
    expect(suspended).toBeGreaterThan(12);
  },
);
