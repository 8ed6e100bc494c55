import { PROMO_REQUEST, startService } from 'customer-data-api/testing/service';
import { afterAll, expect, test, vi } from 'vitest';
import { FAULTS } from '../../fault-switch.ts';

const service = await startService({ environment: { CONFIG_CACHE_SECONDS: '0' } });
afterAll(() => service.stop());

const change = (fault: string, method = 'PUT') =>
  fetch(service.outputs.FaultEndpoint, { method, body: fault });

/** The answers of both operations: their statuses and codes, or the outcome of a promo code. */
async function answers(): Promise<unknown[]> {
  const [{ status, body: config }, { body: promo, ...others }] = await Promise.all([
    service.getConfig(),
    service.applyPromoCode(),
  ]);
  return [
    status === 200 ? 'OK' : `${status} ${config.data.code}`,
    others.status === 200 ? promo.data.outcome : `${others.status} ${promo.data.code}`,
  ];
}

test('each fault begins and ends while the server runs', async () => {
  // Every function has the keys and has written once: a fault must not depend on a cold start.
  expect(await answers()).toEqual(['OK', 'applied']);
  for (const [fault, expected] of [
    ['throttle', ['429 ThrottlingException', '429 ThrottlingException']],
    ['table-down', ['OK', 'queued']],
    ['queue-down', ['OK', '503 ServiceUnavailableException']],
    ['configs-down', ['OK', 'repeated']],
    ['dynamodb-slow', ['OK', 'queued']],
    ['internal-error', ['500 InternalServerError', '500 InternalServerError']],
    ['firewall', ['403 ForbiddenException', '403 ForbiddenException']],
    ['keys-down', ['503 ServiceUnavailableException', '503 ServiceUnavailableException']],
  ] as const) {
    await change(fault);
    expect(await answers(), fault).toEqual(expected);
    // The explanation says what an app sees.
    if (expected[1] !== 'repeated') expect(FAULTS[fault]).toContain(expected[1]);
    // Only the functions see it.
    await service.putConfig({ clientId: 'another' });
    // Nothing else changes it.
    expect((await change('nothing')).status).toBe(400);
    expect((await change('none', 'POST')).status).toBe(405);
    expect(await (await fetch(service.outputs.FaultEndpoint)).text()).toBe(fault);
    await change('none');
    // After a failure, the table has only 500 ms to answer: too little if others share the cores.
    const ended = async () => expect(await answers(), `after ${fault}`).toEqual(['OK', 'repeated']);
    await vi.waitFor(ended);
  }
});

test('lost-response executes a request, and captive-portal answers with a page instead', async () => {
  await change('lost-response');
  const LOST = { ...PROMO_REQUEST, promoCode: 'LOST' };
  await expect(service.applyPromoCode({ body: LOST })).rejects.toThrow();
  expect((await service.promoEvents()).map(({ promoCode }) => promoCode)).toContain('LOST');
  await change('captive-portal');
  const answer = await fetch(`${service.outputs.ApiUrl}/promoCode/apply`, { method: 'POST' });
  expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, 'text/html']);
  await change('none');
});

test('slow answers 28 seconds after the request was executed', async () => {
  await change('slow');
  const timers = vi.spyOn(globalThis, 'setTimeout');
  const answer = service.applyPromoCode({ body: { ...PROMO_REQUEST, promoCode: 'SLOW' } });
  // The function starts again.
  const [endWait] = await vi.waitUntil(() =>
    timers.mock.calls.find(([, delay]) => delay === 28_000),
  );
  timers.mockRestore();
  expect((await service.promoEvents()).map(({ promoCode }) => promoCode)).toContain('SLOW');
  endWait();
  expect((await answer).body.data.outcome).toBe('applied');
});
