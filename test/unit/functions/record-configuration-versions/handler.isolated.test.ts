import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
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

/** What a log line says about the first change. */
const OF_THE_FIRST = { clientId: 'pizza', eventId: 'event-1' };

/** The class that the handler knows. */
const unavailableError = async () =>
  (await import('../../../../core/platform/unavailable-error.ts')).UnavailableError;

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

/** An error of DynamoDB, which refuses a call. */
const refusal = (name: string, httpStatusCode = 400) =>
  new DynamoDBServiceException({ name, $fault: 'client', $metadata: { httpStatusCode } });

test.each([
  ['that DynamoDB refuses', refusal('ValidationException')],
  ['that DynamoDB cannot parse', refusal('SerializationException')],
  ['on which the program fails', new TypeError('x is not a function')],
])('a change %s is skipped, so that others do not wait for it', async (_, error) => {
  vi.mocked(recordChange).mockRejectedValueOnce(error);
  expect(await record(['1', '2'])).toEqual({ batchItemFailures: [] });
  expect(recordChange).toHaveBeenCalledTimes(2);
  const { logger } = await import('../../../../core/platform/logger.ts');
  expect(vi.mocked(logger.error).mock.calls).toEqual([
    ['A change of a client cannot be recorded', { ...OF_THE_FIRST, error }],
  ]);
  expect(vi.mocked(count).mock.calls.flat().sort()).toEqual(['ChangeSkipped', 'ServerErrors']);
});

test.each([
  ['while AWS is unavailable', async () => new (await unavailableError())({})],
  ['until the function has its permission', async () => refusal('AccessDeniedException')],
  ['until the table is there', async () => refusal('ResourceNotFoundException')],
])('a change is delivered again %s, with those after it', async (_, thrown) => {
  const error = await thrown();
  vi.mocked(recordChange).mockRejectedValueOnce(error);
  expect(await record(['1', '2'])).toEqual({ batchItemFailures: [{ itemIdentifier: '1' }] });
  expect(recordChange).toHaveBeenCalledTimes(1);
  const { logger } = await import('../../../../core/platform/logger.ts');
  expect(vi.mocked(logger.error).mock.calls).toEqual([
    ['A change of a client is not recorded yet', { ...OF_THE_FIRST, error }],
  ]);
  expect(vi.mocked(count).mock.calls).toEqual([['ServerErrors']]);
});
