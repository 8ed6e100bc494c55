import { startPhoneNetwork } from 'customer-data-api/testing/phone-network';
import { randomNumbers } from 'customer-data-api/testing/random-numbers';
import { PROMO_REQUEST, type Service, startService } from 'customer-data-api/testing/service';
import { signIdToken } from 'customer-data-api-deployment/local';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { applyPromoCode, type Result } from '../../packages/sdk/src/index.ts';
import type { PromoCodeApplied } from '../../packages/sdk/src/types.ts';

let service: Service;
beforeAll(async () => {
  service = await startService({ queue: { visibilityTimeoutSeconds: 1, maxReceiveCount: 100 } });
});
afterAll(() => service.stop());

/** For codes that a busy service has queued. */
const STORED_WAIT = { interval: 500 };
const LOST_RESPONSES = 0.3;
const IN_FLIGHT = 50;

test('1,000 promo codes of the app client are each applied once, although 30 % of the responses are lost', async () => {
  const codes = Array.from({ length: 1000 }, (_, index) => `CODE${index}`);
  await using network = await startPhoneNetwork(service.outputs.ApiUrl);
  const next = randomNumbers('lost responses');
  network.fateOf = () => (next() < LOST_RESPONSES ? 'response lost' : 'arrives');
  const idToken = await signIdToken(service.issuer);
  const session = {
    baseUrl: network.url,
    appId: 'demo-app-key',
    deviceId: '00000000-0000-0000-0000-000000000000',
    idToken: () => idToken,
    refreshTokens: () => {},
  };

  const waiting = codes.values();
  const results = new Map<string, Result<PromoCodeApplied>>();
  const sendAll = async () => {
    for (const promoCode of waiting) {
      const request = { ...PROMO_REQUEST, promoCode };
      results.set(promoCode, await applyPromoCode(session, request, { retry: true }));
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, sendAll));

  for (const result of results.values()) expect(result.outcome).toBe('success');
  const events = await vi.waitUntil(async () => {
    const stored = await service.promoEvents();
    return stored.length >= codes.length && stored;
  }, STORED_WAIT);
  // None is lost, and none twice: another date would have stored a repetition.
  expect(events.map(({ kind }) => kind)).toEqual(codes.map(() => 'applied'));
  expect(new Map(events.map(({ promoCode, requestDate }) => [promoCode, requestDate]))).toEqual(
    new Map(codes.map((code) => [code, results.get(code)?.requestDate.toISOString()] as const)),
  );
  const dates = new Set(network.attempts.map((sent) => `${sent.promoCode} ${sent.requestDate}`));
  expect(dates.size).toBe(codes.length);
  expect(network.attempts.filter(({ body }) => body === undefined).length).toBeGreaterThan(300);
});
