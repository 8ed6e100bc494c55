import { SQSClient } from '@aws-sdk/client-sqs';
import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { UnavailableError } from '../../../../core/aws/unavailable-error.ts';
import { storeOrQueue } from '../../../../core/promo-events/store-or-queue.ts';
import { eventOf } from '../../../support/promo-event.ts';

/* How long an event waits for the table and for the queue. */

const EVENT = eventOf('user');
const DOWN = new Error('The table is down');
/** Long enough that no time limit is shortened. */
const LONG = 20_000;

type Send = (command: unknown, options: { abortSignal: AbortSignal }) => Promise<unknown>;

/** The milliseconds that the last call of each waited until it was aborted. */
let waited: { table?: number; queue?: number };
let table: Send;
let queue: Send;
let queues: Set<unknown>;
let accept: (remainingMs?: number) => Promise<unknown>;

const stored: Send = async () => ({ Attributes: { requestDate: EVENT.requestDate } });
const down: Send = async () => {
  throw DOWN;
};
/** Waits until it is aborted. */
const silent =
  (name: 'table' | 'queue'): Send =>
  (_, { abortSignal }) =>
    new Promise((_resolve, reject) => {
      const start = Date.now();
      const abort = () => {
        waited[name] = Date.now() - start;
        reject(abortSignal.reason);
      };
      if (abortSignal.aborted) abort();
      else abortSignal.addEventListener('abort', abort);
    });

/** Takes its time, unless it is aborted. */
const slow =
  (ms: number): Send =>
  (command, { abortSignal }) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => resolve(stored(command, { abortSignal })), ms);
      abortSignal.addEventListener('abort', () => {
        clearTimeout(timer);
        reject(abortSignal.reason);
      });
    });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  vi.stubEnv('AWS_REGION', 'us-east-1');
  [waited, queues, table, queue] = [{}, new Set(), stored, async () => ({})];
  vi.spyOn(SQSClient.prototype, 'send').mockImplementation(function (this: SQSClient, ...call) {
    queues.add(this);
    return queue(...(call as unknown as Parameters<Send>));
  });
  const send: Send = (...call) => table(...call);
  const documentClient = { send } as unknown as DynamoDBDocumentClient;
  const accepting = storeOrQueue({
    table: { documentClient, tableName: 'PromoEvents', retentionDays: 0 },
    queueUrl: 'https://sqs.example.com/queue',
  });
  accept = async (remainingMs = LONG) => {
    let isSettled = false;
    const settled = accepting({ ...EVENT, promoCodeToken: 'token' }, remainingMs)
      .then(({ kind }) => kind)
      .catch((error) => error)
      .finally(() => {
        isSettled = true;
      });
    while (!isSettled) {
      // The client of the queue is loaded when it is needed.
      await new Promise((resolve) => setImmediate(resolve));
      await vi.advanceTimersToNextTimerAsync();
    }
    // No time limit outlives its call.
    expect(vi.getTimerCount()).toBe(0);
    return settled;
  };
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

test.each([
  [LONG, 3000],
  [9500, 3000],
  [9499, 2999],
  [6501, 1],
  [6500, 0],
  [100, 0],
])('with %i ms left, the table has %i ms, and the queue 6 s', async (remainingMs, tableMs) => {
  [table, queue] = [silent('table'), silent('queue')];
  const error = await accept(remainingMs);
  expect(error).toBeInstanceOf(UnavailableError);
  expect((error as Error).cause).toHaveProperty('name', 'TimeoutError');
  expect(waited).toEqual({ table: tableMs, queue: 6000 });
});

test('after a failure of the table, an event waits for half a second, until the table succeeds again', async () => {
  table = down;
  expect(await accept()).toBe('queued');
  for (let times = 0; times < 2; times++) {
    table = silent('table');
    expect(await accept()).toBe('queued');
    expect(waited.table).toBe(500);
  }
  table = stored;
  expect(await accept()).toBe('applied');
  table = silent('table');
  expect(await accept()).toBe('queued');
  expect(waited.table).toBe(3000);
  // All events share one client of the queue.
  expect(queues.size).toBe(1);
});

describe.each([0, 0.5, 0.999])('with the random number %f', (random) => {
  beforeEach(() => {
    vi.spyOn(Math, 'random').mockReturnValue(random);
  });
  /** Sends an event every so many milliseconds, for three minutes. */
  async function acceptAll(intervalMs: number) {
    const sent: { readonly atMs: number; readonly kind: unknown; readonly waitedMs?: number }[] =
      [];
    for (const start = Date.now(); Date.now() - start < 180_000; ) {
      waited = {};
      const atMs = Date.now() - start;
      const kind = await accept();
      sent.push({ atMs, kind, ...(waited.table && { waitedMs: waited.table }) });
      await vi.advanceTimersByTimeAsync(intervalMs);
    }
    return sent;
  }

  test.each([100, 700, 20_000])(
    'with an event every %i ms, a table that takes 800 ms stores them again within a minute',
    async (intervalMs) => {
      table = down;
      expect(await accept()).toBe('queued');
      table = slow(800);
      for (const { atMs, kind } of await acceptAll(intervalMs)) {
        if (atMs >= 60_000) expect(kind).toBe('applied');
      }
    },
  );

  test.each([100, 700, 20_000])(
    'with an event every %i ms, a table that hangs takes half a second each, and 3 s at most once in 30 s',
    async (intervalMs) => {
      table = silent('table');
      let longAt = Number.NEGATIVE_INFINITY;
      for (const { atMs, waitedMs } of await acceptAll(intervalMs)) {
        expect([500, 3000]).toContain(waitedMs);
        if (waitedMs !== 3000) continue;
        expect(atMs - longAt).not.toBeLessThan(30_000);
        longAt = atMs;
      }
    },
  );
});

test('the time of the table is also that of a second write, such as of a repetition', async () => {
  table = (command, options) =>
    command instanceof PutCommand
      ? silent('table')(command, options)
      : Promise.resolve({ Attributes: { requestDate: 'earlier' } });
  expect(await accept()).toBe('queued');
  expect(waited.table).toBe(3000);
});

test('a call that had no time left says nothing about the table', async () => {
  table = silent('table');
  await accept(6500);
  await accept();
  expect(waited.table).toBe(3000);
});
