import type { Context, DynamoDBStreamEvent } from 'aws-lambda';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type RecordedChange, recordChange } from '../../../../core/configuration/record-change.ts';
import { count, publishMetrics } from '../../../../core/platform/metrics.ts';
import type * as module from '../../../../functions/record-configuration-versions/handler.ts';
import { isCleared, msOf } from '../../../support/timeout.ts';

vi.mock('../../../../core/platform/logger.ts', () => ({
  logger: { warn: vi.fn(), error: vi.fn() },
}));
vi.mock('../../../../core/platform/metrics.ts', () => ({
  count: vi.fn(),
  publishMetrics: vi.fn(),
}));
vi.mock('../../../../core/configuration/record-change.ts', () => ({ recordChange: vi.fn() }));
vi.mock('../../../../core/platform/timeout.ts', () => import('../../../support/timeout.ts'));

let handler: typeof module.handler;
beforeEach(async () => {
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  vi.stubEnv('CONFIG_VERSIONS_TABLE_NAME', 'ConfigVersions');
  vi.stubEnv('DYNAMODB_ENDPOINT', 'https://dynamodb.example.com');
  vi.stubEnv('REQUIRE_USER_POOL_CLIENT_IDS', 'true');
  vi.resetModules();
  ({ handler } = await import('../../../../functions/record-configuration-versions/handler.ts'));
});
afterEach(() => {
  vi.resetAllMocks();
  vi.unstubAllEnvs();
});

/** Records changes, as many as the stream delivers together, while the invocation has so much time left. */
const record = (sequenceNumbers: readonly string[], remainingMs = 20_000) =>
  handler(
    {
      Records: sequenceNumbers.map((SequenceNumber) => ({
        eventID: `event-${SequenceNumber}`,
        dynamodb: { SequenceNumber, Keys: { clientId: { S: 'pizza' } } },
      })),
    } as DynamoDBStreamEvent,
    { getRemainingTimeInMillis: () => remainingMs } as Context,
  );

const recordOne = (remainingMs?: number) => record(['1'], remainingMs);

test.each([
  ['a second less than is left', 20_000, 19_000],
  ['none if less than a second is left', 400, 0],
])('the DynamoDB calls have %s', async (_, remainingMs, expected) => {
  await recordOne(remainingMs);
  const [table, , options] = vi.mocked(recordChange).mock.lastCall ?? [];
  expect(table).toEqual({ dynamodb: expect.any(Object), tableName: 'ConfigVersions' });
  expect(await table?.dynamodb.config.endpoint?.()).toMatchObject({
    hostname: 'dynamodb.example.com',
  });
  expect(msOf(options?.abortSignal)).toBe(expected);
  expect(isCleared(options?.abortSignal)).toBe(true);
  expect(options?.requiresUserPoolClientIds).toBe(true);
});

const HARM = ['the client is deleted'];

test.each([
  ['from outside is counted', 'outside', [], [['ChangedOutside']]],
  [
    'from outside that harms is counted twice',
    'outside',
    HARM,
    [['ChangedOutside'], ['HarmedOutside']],
  ],
  ['that a tool published is not, whatever it does', 'published', HARM, []],
] as const)('a change %s', async (_, source, harm, counted) => {
  const recorded = {
    version: { clientId: 'pizza', version: 2, source },
    ...{ harm, findings: [], isNew: true },
  };
  vi.mocked(recordChange).mockResolvedValue(recorded as unknown as RecordedChange);
  expect(await recordOne()).toEqual({ batchItemFailures: [] });
  expect(vi.mocked(count).mock.calls).toEqual(counted);
  const [published = 0] = vi.mocked(publishMetrics).mock.invocationCallOrder;
  expect(published).toBeGreaterThan(Math.max(0, ...vi.mocked(count).mock.invocationCallOrder));
  const { logger } = await import('../../../../core/platform/logger.ts');
  const line = ['A change from outside harmed a client', { clientId: 'pizza', version: 2, harm }];
  expect(vi.mocked(logger.warn).mock.calls).toEqual(counted.length === 2 ? [line] : []);
});

test.each([
  [
    'that DynamoDB never accepts is given up, so that those after it do not wait for ever',
    Object.assign(new Error('too large'), { name: 'ValidationException' }),
    { message: 'A change of a client cannot be recorded', recorded: 2, delivered: [] },
  ],
  [
    'that fails for another reason is delivered again, with those after it',
    new Error('The table is down.'),
    {
      message: 'A change of a client is not recorded yet',
      recorded: 1,
      delivered: [{ itemIdentifier: '1' }],
    },
  ],
])('a change %s', async (_, error, { message, recorded, delivered }) => {
  vi.mocked(recordChange).mockRejectedValueOnce(error);
  expect(await record(['1', '2'])).toEqual({ batchItemFailures: delivered });
  expect(recordChange).toHaveBeenCalledTimes(recorded);
  const { logger } = await import('../../../../core/platform/logger.ts');
  const details = { clientId: 'pizza', eventId: 'event-1', error };
  expect(vi.mocked(logger.error).mock.calls).toEqual([[message, details]]);
  expect(vi.mocked(count).mock.calls).toEqual([['ServerErrors']]);
});
