import { expect, test } from 'vitest';
import { applyPromoCode, type Result, type Session } from '../../client/src/index.ts';
import type { PromoCodeApplied } from '../../client/src/types.ts';
import { signIdToken } from '../../local/id-token.ts';
import { close } from '../../local/listen.ts';
import { randomNumbers } from '../faults/random.ts';
import { FaultProxy } from '../support/fault-proxy.ts';
import { PROMO_REQUEST, startService } from '../support/service.ts';

const CODES = Array.from({ length: 1000 }, (_, index) => `CODE${index}`);
const LOST_RESPONSES = 0.3;
const IN_FLIGHT = 50;

test('1,000 promo codes of the app client are each applied once, although 30 % of the responses are lost', async () => {
  await using service = await startService();
  const proxy = await FaultProxy.start();
  proxy.target = service.outputs.ApiUrl;
  const next = randomNumbers('lost responses');
  proxy.faultOf = () => (next() < LOST_RESPONSES ? 'connection reset, executed' : undefined);
  const idToken = await signIdToken(service.issuer);
  const session: Session = {
    baseUrl: proxy.url,
    appId: 'demo-app-key',
    deviceId: '00000000-0000-0000-0000-000000000000',
    idToken: () => idToken,
  };

  const waiting = CODES.values();
  const results = new Map<string, Result<PromoCodeApplied>>();
  const sendAll = async () => {
    for (const promoCode of waiting) {
      const request = { ...PROMO_REQUEST, promoCode };
      results.set(promoCode, await applyPromoCode(session, request, { retry: true }));
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, sendAll));
  await close(proxy.server);

  const events = await service.promoEvents();
  // None is lost, and none twice: another date would have stored a repetition.
  expect(events.map(({ kind }) => kind)).toEqual(CODES.map(() => 'applied'));
  expect(new Map(events.map(({ promoCode, requestDate }) => [promoCode, requestDate]))).toEqual(
    new Map(CODES.map((code) => [code, results.get(code)?.requestDate.toISOString()] as const)),
  );
  for (const result of results.values()) {
    expect(result).toMatchObject({ outcome: 'success', data: { outcome: 'applied' } });
  }
  expect(proxy.faultCounts.get('connection reset, executed')).toBeGreaterThan(300);
});
