import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PROMO_REQUEST, type Service, startService } from '../../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
  // What waits for a function to start may wait too long for its table.
  await service.warmUp();
});
afterAll(() => service.stop());

const DAY_SECONDS = 24 * 60 * 60;

let users = 0;
/** Each test has its own user, so that it finds only its own events. */
function newUser() {
  const user = `user-${users++}`;
  return {
    user,
    apply: async (body: Record<string, unknown> = {}, headers: Record<string, string> = {}) => {
      const sent = { ...PROMO_REQUEST, userId: user, ...body };
      const { status, body: envelope } = await service.applyPromoCode({
        token: { user },
        body: sent,
        headers,
      });
      expect(status).toBe(200);
      return envelope;
    },
    events: async () => (await service.promoEvents()).filter(({ userId }) => userId === user),
  };
}

const dateAt = (second: number) =>
  new Date(Math.floor(Date.now() / 1000) * 1000 - 60_000 + second * 1000).toISOString();
const at = (second: number) => ({ 'Request-Date': dateAt(second) });

test('an application is stored with all its attributes, and the time of the server', async () => {
  const { user, apply, events } = newUser();
  for (const offset of [-23, 23]) {
    const requestDate = new Date(Date.now() + offset * 60 * 60 * 1000).toISOString();
    const headers = { 'Request-Date': requestDate, Date: requestDate, 'Received-At': requestDate };
    const start = new Date().toISOString();
    const promoCode = `${offset} hours`;
    const token = { promoCode, promoCodeToken: ' a token' };
    const { data, warnings, notices } = await apply({ ...token, receivedAt: requestDate }, headers);
    const end = new Date().toISOString();
    expect(data.outcome).toBe('applied');
    expect([warnings.length, notices]).toEqual([1, []]);
    const stored = (await events()).find((event) => event.requestDate === requestDate);
    expect(stored).toEqual({
      ...{ ...PROMO_REQUEST, userId: user, ...token, kind: 'applied' },
      ...{ deviceId: '00000000-0000-0000-0000-000000000000', requestDate },
      eventId: `${user}#${encodeURIComponent(promoCode)}#applied`,
      receivedAt: stored?.receivedAt,
    });
    expect([start, stored?.receivedAt, end]).toEqual([start, stored?.receivedAt, end].sort());
  }
});

test('20 concurrent copies of a request store one applied event and nothing else', async () => {
  const { user, apply, events } = newUser();
  const headers = at(0);
  const answers = await Promise.all(Array.from({ length: 20 }, () => apply({}, headers)));
  expect(new Set(answers.map(({ data }) => data.outcome))).toEqual(new Set(['applied']));
  expect((await events()).map(({ eventId }) => eventId)).toEqual([`${user}#WELCOME10#applied`]);
});

test('requests with other dates are repetitions of one application, however the dates are spelled', async () => {
  const { apply, events } = newUser();
  const dates = Array.from({ length: 10 }, (_, second) => dateAt(second));
  const answers = await Promise.all(dates.map((date) => apply({}, { 'Request-Date': date })));
  const outcomes = answers.map(({ data }) => data.outcome).sort();
  expect(outcomes).toEqual(['applied', ...Array.from({ length: 9 }, () => 'repeated')]);
  const kept = await events();
  expect(kept.map(({ requestDate }) => requestDate).sort()).toEqual(dates);
  for (const date of dates) {
    for (const spelled of [date, date.replace('.000Z', '+00:00'), date.replace('.000Z', '.0Z')]) {
      await apply({ source: 'late', promoCodeToken: 'late' }, { 'Request-Date': spelled });
    }
  }
  expect(await events()).toEqual(kept);
});

test.each<[what: string, sent: Record<string, unknown>, stored: object]>([
  ['a code within spaces', { promoCode: '  WELCOME10\t' }, { promoCode: 'WELCOME10' }],
  ['an accent that the phone composed', { promoCode: 'E\u0301' }, { promoCode: '\u00c9' }],
  ['a ligature, which is not its letters', { promoCode: '\ufb01' }, { promoCode: '\ufb01' }],
  ['a space in a code', { promoCode: 'SAVE 10' }, { promoCode: 'SAVE 10' }],
  ['small letters', { promoCode: 'save' }, { promoCode: 'save' }],
  ['a token that is null', { promoCodeToken: null }, {}],
  ['an empty token', { promoCodeToken: '' }, {}],
  [
    'an unknown user interaction',
    { eventType: 'scanned', source: 'till' },
    { eventType: 'scanned', source: 'till' },
  ],
])('%s is stored as it counts', async (_, sent, stored) => {
  const { user, apply, events } = newUser();
  await apply(sent);
  const [{ eventId, kind, deviceId, requestDate, receivedAt, ...event } = {}] = await events();
  expect(event).toEqual({ ...PROMO_REQUEST, userId: user, ...stored });
});

describe('the user binding', () => {
  test.each([
    ['another claim', 'custom:userId', { 'custom:userId': 'shopper-1' }, 200],
    ['another claim of another user', 'custom:userId', { 'custom:userId': 'shopper-2' }, 403],
    ['a claim that the token lacks', 'custom:userId', {}, 403],
    ['a claim that is not a string', 'custom:userId', { 'custom:userId': ['shopper-1'] }, 403],
    ['a name that every object inherits', 'constructor', {}, 403],
    [
      'an address that Cognito has verified',
      'email',
      { email: 'shopper-1', email_verified: true },
      200,
    ],
    [
      'an address that nobody has verified',
      'email',
      { email: 'shopper-1', email_verified: false },
      403,
    ],
    ['a number without a word about it', 'phone_number', { phone_number: 'shopper-1' }, 403],
    ['none', 'none', {}, 200],
  ])('%s', async (_, claim, claims, status) => {
    await using bound = await startService({
      USER_ID_CLAIM: claim,
      PROMO_EVENT_RETENTION_DAYS: '90',
    });
    const body = { ...PROMO_REQUEST, userId: 'shopper-1' };
    expect((await bound.applyPromoCode({ token: { claims }, body })).status).toBe(status);
    const events = await bound.promoEvents();
    expect(events).toHaveLength(status === 200 ? 1 : 0);
    for (const { expiresAt, receivedAt } of events) {
      expect(expiresAt).toBe(Math.floor(Date.parse(receivedAt) / 1000) + 90 * DAY_SECONDS);
    }
  });
});
