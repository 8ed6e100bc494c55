import * as fc from 'fast-check';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import {
  applyPromoCode,
  promoCodeQueue,
  type Result,
  type Session,
} from '../../client/src/index.ts';
import type { PromoCodeApplied } from '../../client/src/types.ts';
import { errorEnvelope } from '../../functions/api/envelope.ts';
import {
  type ApiError,
  ServiceUnavailableError,
  TokenExpiredError,
} from '../../functions/api/errors.ts';
import { signIdToken } from '../../local/id-token.ts';
import { randomNumbers } from '../faults/random.ts';
import { type Attempt, type Fate, PhoneNetwork } from '../support/phone-network.ts';
import { PROMO_REQUEST, type Service, startService } from '../support/service.ts';

const TWO_DAYS_MS = 48 * 60 * 60 * 1000;

let service: Service;
let idToken: string;
beforeAll(async () => {
  service = await startService({}, { visibilityTimeoutSeconds: 1, maxReceiveCount: 100 });
  idToken = await signIdToken(service.issuer);
});
afterAll(() => service.stop());
afterEach(() => vi.restoreAllMocks());

const sessionOn = (network: PhoneNetwork): Session => ({
  baseUrl: network.url,
  appId: 'demo-app-key',
  deviceId: '00000000-0000-0000-0000-000000000000',
  idToken: () => idToken,
  refreshTokens: () => {},
});

/** For codes that a busy service has queued. */
const STORED_WAIT = { timeout: 60_000, interval: 500 };
const LOST_RESPONSES = 0.3;
const IN_FLIGHT = 50;

test('1,000 promo codes of the app client are each applied once, although 30 % of the responses are lost', async () => {
  const codes = Array.from({ length: 1000 }, (_, index) => `CODE${index}`);
  await using network = await PhoneNetwork.start(service.outputs.ApiUrl);
  const next = randomNumbers('lost responses');
  network.fateOf = () => (next() < LOST_RESPONSES ? 'response lost' : 'arrives');
  const session = sessionOn(network);

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

const answer = (body: string) => () => new Response(body);
const refusal = (error: ApiError) => answer(JSON.stringify(errorEnvelope(error)));
const FATES: Readonly<Record<string, Fate>> = {
  arrives: 'arrives',
  'request lost': 'request lost',
  'response lost': 'response lost',
  page: answer('<html>'),
  unavailable: refusal(new ServiceUnavailableError()),
  'expired token': refusal(new TokenExpiredError()),
};

/** On any machine enough for all attempts of a plan. */
const RETRY_MS = 20_000;

/** Whether the service may have accepted the request, as far as the app can tell. */
function isUnknown({ body }: Attempt): boolean {
  if (body === undefined || body.startsWith('<')) return true;
  const { errors, data } = JSON.parse(body);
  return errors.length === 0 || data.retryable;
}

test('no request is sent under another date once the service may have accepted it', async () => {
  // The pauses are a random part of some seconds.
  const { random } = Math;
  vi.spyOn(Math, 'random').mockImplementation(() => random() / 1e6);
  const clockOffset = fc.constantFrom(0, -TWO_DAYS_MS, TWO_DAYS_MS);
  const fates = fc.array(fc.constantFrom(...Object.keys(FATES)), { maxLength: 5 });
  let runs = 0;
  let datesChanged = 0;
  /** The codes that were sent with a right clock. None of them may be lost. */
  const expected: string[] = [];
  await fc.assert(
    fc.asyncProperty(
      clockOffset,
      fc.array(fates, { minLength: 2, maxLength: 6 }),
      async (offset, plans) => {
        await using network = await PhoneNetwork.start(service.outputs.ApiUrl);
        const run = runs++;
        const left = new Map(plans.map((plan, index) => [`${run}-${index}`, [...plan]]));
        network.fateOf = (code) => FATES[left.get(code)?.shift() ?? 'arrives'] ?? 'arrives';
        network.clockOffset = offset;
        const session = sessionOn(network);
        const stored = new Map<string, string>();
        const queue = promoCodeQueue({
          session,
          retryMs: RETRY_MS,
          storage: {
            getItem: (key) => stored.get(key),
            setItem: (key, value) => stored.set(key, value),
          },
        });
        // One half of them alone, which gives up when a refreshed token has expired too, and one through the queue.
        const refused = new Set<string>();
        for (const [index, promoCode] of [...left.keys()].entries()) {
          const request = { ...PROMO_REQUEST, promoCode };
          if (index % 2) await queue.add(request);
          else {
            const options = { retry: true, retryMs: RETRY_MS };
            const { outcome } = await applyPromoCode(session, request, options);
            if (outcome === 'tokenExpired') refused.add(promoCode);
          }
        }
        for (let call = 0; call < 3; call++) await queue.send();

        for (const code of left.keys()) {
          if (offset === 0 && !refused.has(code)) expected.push(code);
          const attempts = network.attempts.filter(({ promoCode }) => promoCode === code);
          const dates = attempts.map(({ requestDate }) => requestDate);
          if (new Set(dates).size > 1) datesChanged++;
          const first = attempts.findIndex(isUnknown);
          if (first >= 0) expect(new Set(dates.slice(first)).size).toBe(1);
        }
      },
    ),
    { numRuns: 40 },
  );
  // Where it is safe, a date is corrected.
  expect(datesChanged).toBeGreaterThan(5);
  const kinds = await vi.waitUntil(async () => {
    const events = await service.promoEvents();
    const stored = new Map(events.map(({ promoCode, kind }) => [promoCode, kind]));
    return expected.every((code) => stored.has(code)) && events.map(({ kind }) => kind);
  }, STORED_WAIT);
  expect(new Set(kinds)).toEqual(new Set(['applied']));
});
