import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Service, startService } from '../../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const change = (fault: string, method = 'PUT') =>
  fetch(service.outputs.FaultEndpoint, { method, body: fault });

/** What both operations answer: their codes, or the outcome of a promo code. */
async function answers(): Promise<unknown[]> {
  const { body: config } = await service.getConfig();
  const { body: promo } = await service.applyPromoCode();
  return [config.data.code ?? 'OK', promo.data.code ?? promo.data.outcome];
}

test('each fault begins and ends while the server runs', async () => {
  // Every function has the keys and has written once: a fault must not depend on a cold start.
  expect(await answers()).toEqual(['OK', 'applied']);
  for (const [fault, expected] of [
    ['throttle', ['ThrottlingException', 'ThrottlingException']],
    ['table-down', ['OK', 'queued']],
    ['keys-down', ['ServiceUnavailableException', 'ServiceUnavailableException']],
  ] as const) {
    expect(await (await change(fault)).text()).toBe(fault);
    expect(await answers(), fault).toEqual(expected);
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
