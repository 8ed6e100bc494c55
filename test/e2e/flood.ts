import assert from 'node:assert/strict';
import type { Throttle } from '../../functions/api/operation.ts';
import { applyPromoCode } from '../../functions/apply-promo-code/operation.ts';
import { getConfig } from '../../functions/get-config/operation.ts';
import type { Deployment } from './deployment.ts';

/**
 * Sends more requests of getConfig than its limits allow. The gateway has to refuse those beyond them, before it calls the
 * function, and to go on serving promoCode/apply.
 */
export async function expectThrottled(
  { url, print }: Deployment,
  { requestsPerSecond, burst }: Throttle,
): Promise<void> {
  const statusOf = async (path: string) =>
    (await fetch(`${url}${path}`, { method: 'POST' })).status;
  const [{ path: flooded }] = getConfig.paths;
  const [{ path: other }] = applyPromoCode.paths;
  const start = performance.now();
  const statuses: number[] = [];
  // One after the other: the emulator starts a process for each concurrent call.
  for (let sent = 0; sent < 2 * burst; sent += 1) statuses.push(await statusOf(flooded));
  const seconds = (performance.now() - start) / 1000;
  const served = statuses.filter((status) => status !== 429);
  print(`${statuses.length} requests in ${seconds.toFixed(1)} s: ${served.length} served`);
  assert.ok(served.length > 0, 'every request was throttled');
  assert.ok(
    served.length <= burst + Math.ceil(seconds * requestsPerSecond),
    'the gateway does not throttle getConfig',
  );
  // No header was sent.
  assert.equal(await statusOf(other), 401, 'a flood of getConfig prevents promoCode/apply');
}
