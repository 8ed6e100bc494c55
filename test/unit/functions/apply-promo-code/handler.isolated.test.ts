import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Request } from '@middy/core';
import type { Context } from 'aws-lambda';
import type * as v from 'valibot';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { count } from '../../../../core/platform/metrics.ts';
import { storeOrQueue } from '../../../../core/promo-events/store-or-queue.ts';
import { type ApiHandlerOptions, apiHandler } from '../../../../functions/api/api-handler.ts';
import { ForbiddenError } from '../../../../functions/api/errors.ts';
import {
  type ApplyPromoCodeRequest,
  applyPromoCode,
  ENVIRONMENT,
} from '../../../../functions/apply-promo-code/operation.ts';

vi.mock('../../../../core/platform/metrics.ts', () => ({ count: vi.fn() }));
vi.mock('../../../../core/promo-events/store-or-queue.ts', () => ({
  storeOrQueue: vi.fn(),
}));
vi.mock('../../../../functions/api/api-handler.ts', () => ({ apiHandler: vi.fn() }));

type Options = ApiHandlerOptions<typeof ApplyPromoCodeRequest, undefined>;
type Operation = ReturnType<Options['operation']>;
type Event = Parameters<Operation>[0];

const NOW = '2026-07-20T10:03:00.000Z';
const REQUEST = applyPromoCode.example.request as v.InferOutput<typeof ApplyPromoCodeRequest>;

const DOCUMENT_CLIENT = {} as DynamoDBDocumentClient;
const acceptPromoEvent = vi.fn<ReturnType<typeof storeOrQueue>>();
let options: Options;
let operation: Operation;
beforeEach(async () => {
  vi.useFakeTimers({ now: Date.parse(NOW) });
  for (const name of [...ENVIRONMENT, 'AWS_REGION']) vi.stubEnv(name, '1');
  vi.stubEnv('REQUIRE_USER_POOL_CLIENT_IDS', 'true');
  vi.stubEnv('USER_ID_CLAIM', 'custom:userId');
  vi.stubEnv('PROMO_EVENTS_TABLE_NAME', 'PromoEvents');
  vi.stubEnv('PROMO_EVENT_RETENTION_DAYS', '90');
  vi.stubEnv('PROMO_EVENTS_QUEUE_URL', 'https://sqs.example.com/queue');
  vi.mocked(storeOrQueue).mockReturnValue(acceptPromoEvent);
  vi.resetModules();
  await import('../../../../functions/apply-promo-code/handler.ts');
  options = vi.mocked(apiHandler).mock.lastCall?.[0] as unknown as Options;
  operation = options.operation(DOCUMENT_CLIENT);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.resetAllMocks();
});

const eventOf = (change: object = {}) =>
  ({
    request: REQUEST,
    requestHeaders: { deviceId: 'device', requestDate: '2026-07-20T10:00:00.000Z' },
    claims: { 'custom:userId': REQUEST.userId },
    warnings: [],
    notices: [],
    ...change,
  }) as unknown as Event;

const apply = (event: Event) =>
  operation(event, { getRemainingTimeInMillis: () => 12_345 } as Context);

test('the table, its retention and the queue come from the environment', () => {
  expect(storeOrQueue).toHaveBeenCalledExactlyOnceWith({
    table: {
      documentClient: DOCUMENT_CLIENT,
      tableName: 'PromoEvents',
      retentionDays: 90,
    },
    queueUrl: 'https://sqs.example.com/queue',
  });
});

test('an event has the time of the server, never that of the app, and is accepted within the remaining time', async () => {
  acceptPromoEvent.mockResolvedValue('applied');
  await apply(
    eventOf({ request: { ...REQUEST, receivedAt: 'app', deviceId: 'app', requestDate: 'app' } }),
  );
  expect(acceptPromoEvent).toHaveBeenCalledExactlyOnceWith(
    {
      ...REQUEST,
      deviceId: 'device',
      requestDate: '2026-07-20T10:00:00.000Z',
      receivedAt: NOW,
    },
    12_345,
  );
});

test.each([
  ['applied', 'The promo code was applied.', []],
  [
    'repeated',
    'The promo code had been applied to this account before; this request was recorded.',
    [],
  ],
  ['queued', 'The promo code was accepted.', ['The promo code is being processed.']],
] as const)('the response says that an event is %s', async (outcome, message, notices) => {
  acceptPromoEvent.mockResolvedValue(outcome);
  const event = eventOf();
  expect(await apply(event)).toEqual({ message, outcome });
  expect(event.notices).toEqual(notices);
});

test('a user other than that of the claim is refused, and counted', () => {
  const [check] = options.checks ?? [];
  const run = (claims: object) => {
    const request = { event: eventOf({ claims }) };
    return check?.before?.(request as unknown as Request<Event>);
  };
  expect(() => run({ 'custom:userId': REQUEST.userId })).not.toThrow();
  expect(count).not.toHaveBeenCalled();
  expect(() => run({ sub: REQUEST.userId })).toThrow(
    expect.objectContaining({ name: 'Error', code: new ForbiddenError().code }),
  );
  expect(count).toHaveBeenCalledExactlyOnceWith('UserBindingRefused');
});
