import { expect, inject, test } from 'vitest';
import { FAULTS } from '../../test/support/fault-proxy.ts';
import { IS_WHOLE } from '../../test/support/runs.ts';
import { runCampaign } from './campaign.ts';

/** On a busy machine, it ends when nothing moves any more. */
const TIMEOUT_MS = 600_000;

test('no application is lost or applied twice and each is on the bus, whichever faults DynamoDB and the bus have', {
  timeout: TIMEOUT_MS,
}, async () => {
  const figures = await runCampaign({
    cloudAssembly: inject('cloudAssembly'),
    seed: 1,
    applications: IS_WHOLE ? 250 : 120,
    users: IS_WHOLE ? 50 : 24,
    // All functions, queues and tables share a process: with more, a busy machine cannot open
    // connections in time.
    inFlight: 12,
  });
  expect(figures).toMatchObject({ lost: [], duplicated: [], unexpected: [], unpublished: [] });
  expect(figures).toMatchObject({ deadLetters: 0, deadLettersOfBus: 0 });
  // Proves that the campaign was hard enough. The busier the machine, the more is queued.
  expect(figures.faults.size).toBe(FAULTS.length);
  expect(figures.postponed).toBeGreaterThan(0);
  expect(figures.queued).toBeGreaterThan(0);
  expect(figures.accepted - figures.queued).toBeGreaterThan(0);
  expect(figures.moved).toBeGreaterThan(0);
  expect(figures.movedOfBus).toBeGreaterThan(0);
  expect(figures.refused).toBeGreaterThan(0);
});
