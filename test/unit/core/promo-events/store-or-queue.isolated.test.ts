import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { logger } from '../../../../core/platform/logger.ts';
import { count } from '../../../../core/platform/metrics.ts';
import { promoEventsQueue } from '../../../../core/promo-events/promo-events-queue.ts';
import {
  type PromoEventsTable,
  storePromoEvent,
} from '../../../../core/promo-events/promo-events-table.ts';
import { storeOrQueue } from '../../../../core/promo-events/store-or-queue.ts';
import { eventOf } from '../../../support/promo-event.ts';
import { isCleared, msOf } from '../../../support/timeout.ts';

vi.mock('../../../../core/platform/logger.ts', () => ({ logger: { error: vi.fn() } }));
vi.mock('../../../../core/platform/metrics.ts', () => ({ count: vi.fn() }));
vi.mock('../../../../core/promo-events/promo-events-table.ts', () => ({
  storePromoEvent: vi.fn(),
}));
vi.mock('../../../../core/promo-events/promo-events-queue.ts', () => ({
  promoEventsQueue: vi.fn(),
}));
vi.mock('../../../../core/platform/timeout.ts', () => import('../../../support/timeout.ts'));

const EVENT = eventOf('user', { promoCodeToken: 'token' });
const TABLE = { tableName: 'PromoEvents' } as PromoEventsTable;
/** Long enough that no time limit is shortened. */
const LONG = 20_000;
const DOWN = new Error('The table is down');

const send = vi.fn<ReturnType<typeof promoEventsQueue>>();
let accept: (remainingMs?: number) => Promise<string>;

beforeEach(() => {
  vi.mocked(promoEventsQueue).mockReturnValue(send);
  send.mockResolvedValue();
  const acceptPromoEvent = storeOrQueue({
    table: TABLE,
    queueUrl: 'https://sqs.example.com/queue',
  });
  accept = (remainingMs = LONG) => acceptPromoEvent(EVENT, remainingMs);
});
afterEach(() => {
  vi.resetAllMocks();
  vi.restoreAllMocks();
});

/** The time limit of the last call to the table, in milliseconds. */
const tableMs = () => msOf(vi.mocked(storePromoEvent).mock.lastCall?.[2]);

const stored = () => vi.mocked(storePromoEvent).mockResolvedValue('applied');
const down = () => vi.mocked(storePromoEvent).mockRejectedValue(DOWN);

test.each(['applied', 'repeated'] as const)(
  'an event that the table stores is %s',
  async (kind) => {
    vi.mocked(storePromoEvent).mockResolvedValue(kind);
    expect(await accept()).toBe(kind);
    expect(vi.mocked(storePromoEvent).mock.lastCall?.slice(0, 2)).toEqual([TABLE, EVENT]);
    expect(promoEventsQueue).not.toHaveBeenCalled();
    expect(count).not.toHaveBeenCalled();
    expect(logger.error).not.toHaveBeenCalled();
  },
);

test('an event that the table cannot store is queued, counted, and logged without its content', async () => {
  down();
  expect(await accept()).toBe('queued');
  expect(promoEventsQueue).toHaveBeenCalledExactlyOnceWith('https://sqs.example.com/queue');
  expect(send).toHaveBeenCalledExactlyOnceWith(EVENT, expect.any(AbortSignal));
  expect(count).toHaveBeenCalledExactlyOnceWith('PromoEventQueued');
  expect(logger.error).toHaveBeenCalledExactlyOnceWith('The table did not store a promo event', {
    clientId: 'demo',
    error: DOWN,
  });
});

test('a call to the queue has a time limit of 6 s', async () => {
  down();
  await accept();
  expect(msOf(send.mock.lastCall?.[1])).toBe(6000);
});

test('no time limit outlives its call', async () => {
  down();
  await accept();
  expect(isCleared(vi.mocked(storePromoEvent).mock.lastCall?.[2])).toBe(true);
  expect(isCleared(send.mock.lastCall?.[1])).toBe(true);
});

test('all events share one SQS client', async () => {
  down();
  await accept();
  await accept();
  expect(promoEventsQueue).toHaveBeenCalledOnce();
  expect(send).toHaveBeenCalledTimes(2);
});

test('an event that neither the table nor the queue stores is neither accepted nor counted', async () => {
  down();
  const cause = new Error('The queue is down');
  send.mockRejectedValue(cause);
  const error = await accept().catch((thrown) => thrown);
  expect(error).toMatchObject({ name: 'UnavailableError', message: 'AWS is unavailable.' });
  expect(error.cause).toBe(cause);
  expect(count).not.toHaveBeenCalled();
});

test('the table has a time limit of 3 s, or 0.5 s from a failure until it succeeds again', async () => {
  stored();
  await accept();
  expect(tableMs()).toBe(3000);
  down();
  await accept();
  expect(tableMs()).toBe(3000);
  stored();
  await accept();
  expect(tableMs()).toBe(500);
  await accept();
  expect(tableMs()).toBe(3000);
});

test.each([
  [9500, 3000],
  [9499, 2999],
  [6501, 1],
  [6500, 0],
  [100, 0],
])(
  'with %i ms left, the table has %i ms, which leaves time for the queue and the response',
  async (remainingMs, ms) => {
    stored();
    await accept(remainingMs);
    expect(tableMs()).toBe(ms);
  },
);

test.each([
  [6500, 3000],
  [6501, 500],
])(
  'after a failure with %i ms left, the next call to the table has %i ms',
  async (remainingMs, ms) => {
    down();
    await accept(remainingMs);
    await accept();
    expect(tableMs()).toBe(ms);
  },
);
