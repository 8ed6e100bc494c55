import { expect, test } from 'vitest';
import { PROMO_REQUEST, startService } from '../../support/service.ts';

const BURST = 20;
const FLOOD = 60;

test('a flood of getConfig from one tenant is refused, and others can still apply promo codes', async () => {
  await using service = await startService({}, undefined, {
    requestsPerSecond: 0.001,
    burst: BURST,
  });
  const flood = () => Array.from({ length: FLOOD }, () => service.getConfig());
  const before = flood();
  // In the middle of the flood, from another tenant.
  const application = service.applyPromoCode({
    headers: { 'App-Id': 'acme-app-key' },
    body: { ...PROMO_REQUEST, clientId: 'acme' },
  });
  const responses = await Promise.all([...before, ...flood()]);
  expect((await application).status).toBe(200);
  expect(await service.promoEvents('acme')).toHaveLength(1);

  const refused = responses.filter(({ status }) => status !== 200);
  expect(responses.length - refused.length).toBe(BURST);
  for (const { status, body } of refused) {
    expect(status).toBe(429);
    expect(body.data).toMatchObject({ code: 'ThrottlingException', retryable: true });
  }
  // The flood does not use up the limit of promoCode/apply either.
  expect((await service.applyPromoCode()).status).toBe(200);
});

test('without throttling, the gateway of the local server takes what the machine can', async () => {
  await using service = await startService();
  const responses = await Promise.all(Array.from({ length: FLOOD }, () => service.getConfig()));
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
});
