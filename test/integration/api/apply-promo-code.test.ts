import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PROMO_REQUEST, type Service, startService } from '../../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

let users = 0;
/** Each test has its own user, so that it finds only its own events. */
function newUser() {
  const user = `user-${users++}`;
  return {
    user,
    apply: (body: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
      service.applyPromoCode({
        token: { user },
        body: { ...PROMO_REQUEST, userId: user, ...body },
        headers,
      }),
    events: async () => (await service.promoEvents()).filter(({ userId }) => userId === user),
  };
}

const dateAt = (second: number) =>
  new Date(Math.floor(Date.now() / 1000) * 1000 - 60_000 + second * 1000).toISOString();

test('an application is stored with all its attributes', async () => {
  const { user, apply, events } = newUser();
  const requestDate = dateAt(0);
  const answer = await apply({ promoCodeToken: 'token-1' }, { 'Request-Date': requestDate });
  expect(answer.status).toBe(200);
  expect(answer.body.data).toEqual({
    message: 'The promo code was applied.',
    outcome: 'applied',
  });
  expect(await events()).toEqual([
    {
      clientId: 'demo',
      eventId: `${user}#WELCOME10#applied`,
      kind: 'applied',
      userId: user,
      promoCode: 'WELCOME10',
      promoCodeToken: 'token-1',
      eventType: 'promo_applied',
      source: 'profile',
      deviceId: '00000000-0000-0000-0000-000000000000',
      requestDate,
      receivedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    },
  ]);
});

test("receivedAt is the server's time, whatever time the app sends", async () => {
  const { apply, events } = newUser();
  const HOUR = 60 * 60 * 1000;
  for (const offset of [-23 * HOUR, 23 * HOUR]) {
    const sent = new Date(Date.now() + offset).toISOString();
    const start = new Date().toISOString();
    const headers = { 'Request-Date': sent, Date: sent, 'Received-At': sent };
    const { status, body } = await apply({ receivedAt: sent }, headers);
    const end = new Date().toISOString();
    expect(status).toBe(200);
    expect(body.warnings).toEqual(['1 value was removed from the request data: receivedAt.']);
    const stored = (await events()).find(({ requestDate }) => requestDate === sent);
    expect([start, stored?.receivedAt, end]).toEqual([start, stored?.receivedAt, end].sort());
  }
});

test('50 concurrent copies of a request store one applied event and nothing else', async () => {
  const { user, apply, events } = newUser();
  const headers = { 'Request-Date': dateAt(0) };
  const answers = await Promise.all(Array.from({ length: 50 }, () => apply({}, headers)));
  expect(new Set(answers.map(({ body }) => body.data.message))).toEqual(
    new Set(['The promo code was applied.']),
  );
  expect((await events()).map(({ eventId }) => eventId)).toEqual([`${user}#WELCOME10#applied`]);
});

test('ten concurrent requests with different dates store one applied event and nine repeated ones', async () => {
  const { user, apply, events } = newUser();
  const dates = Array.from({ length: 10 }, (_, second) => dateAt(second));
  const answers = await Promise.all(dates.map((date) => apply({}, { 'Request-Date': date })));
  expect(answers.map(({ status }) => status)).toEqual(dates.map(() => 200));
  const outcomes = answers.map(({ body }) => body.data.outcome).sort();
  expect(outcomes).toEqual(['applied', ...Array.from({ length: 9 }, () => 'repeated')]);
  const kept = await events();
  expect(kept.map(({ requestDate }) => requestDate).sort()).toEqual(dates);
  const [applied, ...repeated] = kept;
  expect(applied?.eventId).toBe(`${user}#WELCOME10#applied`);
  for (const { eventId, requestDate } of repeated) {
    expect(eventId).toBe(`${user}#WELCOME10#repeated#${requestDate}`);
  }
});

test('a duplicate request changes nothing, in any order and any spelling of its date', async () => {
  const { apply, events } = newUser();
  const [first, second] = [dateAt(0), dateAt(1)];
  await apply({}, { 'Request-Date': first });
  await apply({ source: 'second' }, { 'Request-Date': second });
  const kept = await events();
  expect(kept).toHaveLength(2);
  for (const date of [
    second,
    first,
    first.replace('.000Z', '+00:00'),
    second.replace('.000Z', '.0Z'),
  ]) {
    const answer = await apply({ source: 'late', promoCodeToken: 't' }, { 'Request-Date': date });
    expect(answer.status).toBe(200);
  }
  expect(await events()).toEqual(kept);
});

describe('the token of a code', () => {
  test("a later request's token is never added to the application of an earlier one", async () => {
    const { apply, events } = newUser();
    await apply({}, { 'Request-Date': dateAt(0) });
    await apply({ promoCodeToken: 'later' }, { 'Request-Date': dateAt(1) });
    const [applied, repeated] = await events();
    expect(applied).not.toHaveProperty('promoCodeToken');
    expect(repeated?.promoCodeToken).toBe('later');
  });

  test('is stored with its own request', async () => {
    const { apply, events } = newUser();
    await apply({ promoCodeToken: 'one' }, { 'Request-Date': dateAt(0) });
    await apply({ promoCodeToken: 'two' }, { 'Request-Date': dateAt(1) });
    await apply({}, { 'Request-Date': dateAt(2) });
    const kept = await events();
    expect(kept.map(({ promoCodeToken }) => promoCodeToken)).toEqual(['one', 'two', undefined]);
  });

  test.each([null, ''])('is absent if it is %j', async (promoCodeToken) => {
    const { apply, events } = newUser();
    expect((await apply({ promoCodeToken })).status).toBe(200);
    expect((await events())[0]).not.toHaveProperty('promoCodeToken');
  });
});

test('codes, users and clients are separate', async () => {
  const { user, apply, events } = newUser();
  await apply({ promoCode: 'A' });
  await apply({ promoCode: 'B' });
  await service.applyPromoCode({
    token: { user },
    headers: { 'App-Id': 'acme-app-key' },
    body: { ...PROMO_REQUEST, clientId: 'acme', promoCode: 'A', userId: user },
  });
  const kept = await events();
  expect(kept.map(({ eventId }) => eventId)).toEqual([`${user}#A#applied`, `${user}#B#applied`]);
  expect(await service.promoEvents('acme')).toHaveLength(1);
});

test('two pairs of user and code that concatenate to the same string do not collide', async () => {
  for (const [userId, promoCode] of [
    ['a#b', 'c'],
    ['a', 'b#c'],
  ]) {
    const body = { ...PROMO_REQUEST, userId, promoCode };
    expect((await service.applyPromoCode({ token: { user: userId ?? '' }, body })).status).toBe(
      200,
    );
  }
  const ids = (await service.promoEvents()).map(({ eventId }) => eventId);
  expect(ids).toEqual(expect.arrayContaining(['a%23b#c#applied', 'a#b%23c#applied']));
});

test.each([
  ['spaces around it', '  WELCOME10\t', 'WELCOME10'],
  ['ten emoji', '🎁'.repeat(10), '🎁'.repeat(10)],
  ['an accent that the phone composed', 'E\u0301TE\u0301', '\u00c9T\u00c9'],
  ['a ligature, which is not the code of its letters', '\ufb01', '\ufb01'],
  ['a space in it', 'SAVE 10', 'SAVE 10'],
  ['right-to-left text', 'مرحبا', 'مرحبا'],
])('promoCode: %s', async (_, sent, kept) => {
  const { apply, events } = newUser();
  expect((await apply({ promoCode: sent })).status).toBe(200);
  expect((await events())[0]?.promoCode).toBe(kept);
});

test.each([
  ['eleven characters', '12345678901'],
  ['eleven emoji', '🎁'.repeat(11)],
  ['nothing', ''],
  ['nothing but spaces', '   '],
  ['a lone surrogate', '\uD83C'],
  ['a control character', 'A\u0000B'],
])('promoCode: %s is refused and leaves nothing', async (_, promoCode) => {
  const { apply, events } = newUser();
  const { status, body } = await apply({ promoCode });
  expect(status).toBe(400);
  expect(body.errors[0]).toMatchObject({ pointer: '/promoCode' });
  expect(await events()).toEqual([]);
});

test('an unknown eventType and source are accepted', async () => {
  const { apply, events } = newUser();
  await apply({ eventType: 'promo_scanned', source: 'checkout' });
  expect((await events())[0]).toMatchObject({ eventType: 'promo_scanned', source: 'checkout' });
});

test('the longest user and code fit into the sort key', async () => {
  const user = '界'.repeat(85);
  const body = { ...PROMO_REQUEST, userId: user, promoCode: '🎁'.repeat(10) };
  const dates = [dateAt(0), dateAt(1).replace('Z', '123456Z')];
  for (const date of dates) {
    const headers = { 'Request-Date': date };
    expect((await service.applyPromoCode({ token: { user }, body, headers })).status).toBe(200);
  }
});

test('a refused request stores nothing', async () => {
  const { user, apply, events } = newUser();
  await service.applyPromoCode({ body: { ...PROMO_REQUEST, userId: user } });
  await apply({}, { 'App-Id': 'wrong' });
  await apply({ source: undefined });
  expect(await events()).toEqual([]);
});

describe('the user binding', () => {
  test.each([
    ['another claim', 'custom:userId', { 'custom:userId': 'shopper-1' }, 200],
    ['another claim of another user', 'custom:userId', { 'custom:userId': 'shopper-2' }, 403],
    ['a claim that the token lacks', 'custom:userId', {}, 403],
    ['a claim that is not a string', 'custom:userId', { 'custom:userId': ['shopper-1'] }, 403],
    ['a name that every object inherits', 'constructor', {}, 403],
    ['none', 'none', {}, 200],
  ])('%s', async (_, claim, claims, status) => {
    await using bound = await startService({ USER_ID_CLAIM: claim });
    const body = { ...PROMO_REQUEST, userId: 'shopper-1' };
    expect((await bound.applyPromoCode({ token: { claims }, body })).status).toBe(status);
    expect(await bound.promoEvents()).toHaveLength(status === 200 ? 1 : 0);
  });
});
