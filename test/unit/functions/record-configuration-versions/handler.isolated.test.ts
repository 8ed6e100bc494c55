import type { Context, DynamoDBStreamEvent } from 'aws-lambda';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type RecordedChange, recordChange } from '../../../../core/configuration/record-change.ts';
import { count } from '../../../../core/platform/metrics.ts';
import type * as module from '../../../../functions/record-configuration-versions/handler.ts';
import { msOf } from '../../../support/timeout.ts';

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

/** Records one change while the invocation has so much time left. */
const recordOne = (remainingMs = 20_000) =>
  handler(
    { Records: [{ dynamodb: { SequenceNumber: '1' } }] } as DynamoDBStreamEvent,
    { getRemainingTimeInMillis: () => remainingMs } as Context,
  );

test.each([
  ['a second less than is left', 20_000, 19_000],
  ['none if less than a second is left', 400, 0],
])('the DynamoDB calls have %s', async (_, remainingMs, expected) => {
  await recordOne(remainingMs);
  const [, , options] = vi.mocked(recordChange).mock.lastCall ?? [];
  expect(msOf(options?.abortSignal)).toBe(expected);
  expect(options?.requiresUserPoolClientIds).toBe(true);
});

test.each([
  ['from outside is counted, and its harm too', 'outside', [['ChangedOutside'], ['HarmedOutside']]],
  ['that a tool published is not, whatever it does', 'published', []],
] as const)('a change %s', async (_, source, counted) => {
  const recorded = {
    version: { clientId: 'pizza', version: 2, source },
    ...{ harm: ['the client is deleted'], findings: [], isNew: true },
  };
  vi.mocked(recordChange).mockResolvedValue(recorded as unknown as RecordedChange);
  expect(await recordOne()).toEqual({ batchItemFailures: [] });
  expect(vi.mocked(count).mock.calls).toEqual(counted);
});
