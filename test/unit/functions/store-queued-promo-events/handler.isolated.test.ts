import type { Context, SQSEvent } from 'aws-lambda';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { logger } from '../../../../core/platform/logger.ts';
import { count, publishMetrics } from '../../../../core/platform/metrics.ts';
import { storePromoEvent } from '../../../../core/promo-events/promo-events-table.ts';
import type * as module from '../../../../functions/store-queued-promo-events/handler.ts';
import { eventOf } from '../../../support/promo-event.ts';
import { isCleared, msOf } from '../../../support/timeout.ts';

vi.mock('../../../../core/platform/logger.ts', () => ({ logger: { error: vi.fn() } }));
vi.mock('../../../../core/platform/metrics.ts', () => ({
  count: vi.fn(),
  publishMetrics: vi.fn(),
}));
vi.mock('../../../../core/promo-events/promo-events-table.ts', () => ({
  storePromoEvent: vi.fn(),
}));
vi.mock('../../../../core/platform/timeout.ts', () => import('../../../support/timeout.ts'));

const event = (promoCode: string) => eventOf('user', { promoCode, promoCodeToken: 'secret' });

let handler: typeof module.handler;

/** Stores a batch, whose messages have the ids 0, 1, 2 … */
function store(bodies: readonly unknown[], remainingMs = 20_000) {
  const Records = bodies.map((body, index) => ({
    messageId: String(index),
    body: typeof body === 'string' ? body : JSON.stringify(body),
  }));
  const context = { getRemainingTimeInMillis: () => remainingMs };
  return handler({ Records } as SQSEvent, context as Context);
}

const failed = (...ids: string[]) => ({
  batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })),
});

beforeEach(async () => {
  vi.mocked(storePromoEvent).mockResolvedValue('applied');
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  vi.stubEnv('DYNAMODB_ENDPOINT', 'https://dynamodb.example.com');
  vi.stubEnv('PROMO_EVENTS_TABLE_NAME', 'PromoEvents');
  vi.stubEnv('PROMO_EVENT_RETENTION_DAYS', '90');
  vi.resetModules();
  ({ handler } = await import('../../../../functions/store-queued-promo-events/handler.ts'));
});
afterEach(() => {
  vi.resetAllMocks();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

test('the events of a batch are stored unchanged and concurrently', async () => {
  let finish = () => {};
  vi.mocked(storePromoEvent).mockImplementation(
    () =>
      new Promise((resolve) => {
        finish = () => resolve('applied');
        if (vi.mocked(storePromoEvent).mock.calls.length < 3) resolve('repeated');
      }),
  );
  const events = ['A', 'B', 'C'].map(event);
  const stored = store(events);
  expect(vi.mocked(storePromoEvent).mock.calls.map(([, one]) => one)).toEqual(events);
  const [table] = vi.mocked(storePromoEvent).mock.lastCall ?? [];
  expect(table).toMatchObject({ tableName: 'PromoEvents', retentionDays: 90 });
  expect(await table?.documentClient.config.endpoint?.()).toMatchObject({
    hostname: 'dynamodb.example.com',
  });
  finish();
  expect(await stored).toEqual(failed());
  expect(logger.error).not.toHaveBeenCalled();
});

test.each([
  ['the first', 'A', '0'],
  ['the middle', 'B', '1'],
  ['the last', 'C', '2'],
])('%s event, if the table does not store it, stays in the queue alone', async (_, code, id) => {
  const down = new Error('The table is down');
  vi.mocked(storePromoEvent).mockImplementation(async (_table, { promoCode }) => {
    if (promoCode === code) throw down;
    return 'applied';
  });
  expect(await store(['A', 'B', 'C'].map(event))).toEqual(failed(id));
  expect(logger.error).toHaveBeenCalledExactlyOnceWith('A promo event stays in the queue', {
    messageId: id,
    error: down,
  });
});

test('every failed message stays in the queue', async () => {
  vi.mocked(storePromoEvent).mockRejectedValue(new Error('The table is down'));
  expect(await store(['A', 'B', 'C'].map(event))).toEqual(failed('0', '1', '2'));
});

test('each event that is not stored is a server error in the metrics, which are published at the end', async () => {
  vi.mocked(storePromoEvent).mockRejectedValueOnce(new Error('The table is down'));
  vi.mocked(publishMetrics).mockImplementation(() =>
    expect(count).toHaveBeenCalledExactlyOnceWith('ServerErrors'),
  );
  await store([event('A'), event('B'), 'no promo event']);
  expect(publishMetrics).toHaveBeenCalledOnce();
});

test.each([
  ['the first', 0],
  ['the last', 2],
])(
  '%s message that is not a promo event stays in the queue, and the log does not contain it',
  async (_, at) => {
    const bodies: unknown[] = [event('A'), event('B')];
    bodies.splice(at, 0, { ...event('secret'), userId: 7 });
    expect(await store(bodies)).toEqual(failed(String(at)));
    expect(storePromoEvent).toHaveBeenCalledTimes(2);
    expect(logger.error).toHaveBeenCalledExactlyOnceWith('A message is not a promo event', {
      messageId: String(at),
      problem: expect.stringContaining('userId'),
    });
    expect(JSON.stringify(vi.mocked(logger.error).mock.calls)).not.toContain('secret');
  },
);

test.each([
  [20_000, 19_000],
  [1001, 1],
  [1000, 0],
  [100, 0],
])('with %i ms left, a batch has %i ms to store its events', async (remainingMs, expectedMs) => {
  await store(['A', 'B'].map(event), remainingMs);
  const signals = vi.mocked(storePromoEvent).mock.calls.map(([, , signal]) => signal);
  expect(signals.map(msOf)).toEqual([expectedMs, expectedMs]);
  expect(signals.map(isCleared)).toEqual([true, true]);
});
