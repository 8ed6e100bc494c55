import { afterAll, beforeAll, expect, test } from 'vitest';
import { FAULTS } from '../../../local/fault-switch.ts';
import { type Service, startService } from '../../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const change = (fault: string, method = 'PUT') =>
  fetch(service.outputs.FaultEndpoint, { method, body: fault });

/** What both operations answer: their statuses and codes, or the outcome of a promo code. */
async function answers(): Promise<unknown[]> {
  const { status, body: config } = await service.getConfig();
  const { body: promo, ...others } = await service.applyPromoCode();
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
    ['keys-down', ['503 ServiceUnavailableException', '503 ServiceUnavailableException']],
  ] as const) {
    expect(await (await change(fault)).text()).toBe(fault);
    expect(await answers(), fault).toEqual(expected);
    // The explanation says what an app sees.
    expect(FAULTS[fault]).toContain(expected[1]);
    await change('none');
    expect(await answers(), `after ${fault}`).toEqual(['OK', 'repeated']);
  }
});

test('while the table is down, the response has the notice, and commands reach the table', async () => {
  await change('table-down');
  const { body } = await service.applyPromoCode();
  expect(body.notices).toEqual(['The promo code is being processed.']);
  await service.putConfig({ clientId: 'another' });
  await change('none');
});

test('an unknown fault is refused, and so is another method: nothing changes', async () => {
  expect((await change('nothing')).status).toBe(400);
  expect((await change('throttle', 'POST')).status).toBe(405);
  expect(await (await fetch(service.outputs.FaultEndpoint)).text()).toBe('none');
});
