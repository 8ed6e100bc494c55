import { readSettings } from 'customer-data-api/stack';
import { startAws } from 'customer-data-api/testing/aws';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { checkConcurrency } from '../../doctor/quotas.ts';

const aws = await startAws();
beforeAll(() => {
  for (const [name, value] of Object.entries(aws.environment)) vi.stubEnv(name, value);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await aws.stop();
});

test.each([
  [1000, [], ['concurrency']],
  // The stage keeps its own reservation at its next deployment.
  [300, [700], ['concurrency']],
  [300, [], ['unreservable']],
])(
  'with %d unreserved executions, of which the stage has taken %j before: %j',
  async (unreserved, own, codes) => {
    const AccountLimit = { ConcurrentExecutions: 1000, UnreservedConcurrentExecutions: unreserved };
    aws.answer({ '/2016-08-19/account-settings': { AccountLimit } });
    const settings = readSettings({
      alarmRecipients: 'none',
      reservedConcurrency: { ApplyPromoCode: 700 },
    });
    const functions = own.map((one) => ['F', { ReservedConcurrentExecutions: one }] as const);
    const found = await Array.fromAsync(
      checkConcurrency('eu-central-1', settings, async () => functions as never),
    );
    expect(found.map(({ code }) => code)).toEqual(codes);
  },
);
