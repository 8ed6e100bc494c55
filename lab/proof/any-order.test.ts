import fc from 'fast-check';
import { afterAll, beforeAll, test } from 'vitest';
import { IS_WHOLE } from '../../test/support/runs.ts';
import { type AnyOrder, changeScenario, promoScenario, startAnyOrder } from './any-order.ts';

/* The calls of functions that run at the same time end in any order. `npm run proof` runs more. */

/** No new run begins after the time limit. */
const LIMITS = {
  numRuns: IS_WHOLE ? 200 : 4,
  interruptAfterTimeLimit: 45_000,
};
const TIMEOUT_MS = 600_000;

let service: AnyOrder;
beforeAll(async () => {
  service = await startAnyOrder();
});
afterAll(() => service.stop());

test(
  'requests, deliveries, an erasure and expiry leave each code applied once, and whole',
  () =>
    fc.assert(
      fc.asyncProperty(fc.scheduler(), promoScenario, (scheduler, scenario) =>
        service.promoEvents(scheduler, scenario),
      ),
      LIMITS,
    ),
  TIMEOUT_MS,
);

test(
  'invocations of the recorder make one version of each change, and then news of it',
  () =>
    fc.assert(
      fc.asyncProperty(fc.scheduler(), changeScenario, (scheduler, scenario) =>
        service.changes(scheduler, scenario),
      ),
      LIMITS,
    ),
  TIMEOUT_MS,
);
