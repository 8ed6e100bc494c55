import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PROMO_REQUEST, startService } from '../../support/service.ts';

const service = await startService();
afterAll(() => service.stop());
// What waits for a function to start may wait too long for its table.
await service.warmUp();

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

/** The item of a client that accepts the calls of this test. */
const CLIENT = { appIds: ['demo-app-key'], fields: [], lastFieldId: 0 };

const dateAt = (second: number) =>
  new Date(Math.floor(Date.now() / 1000) * 1000 - 60_000 + second * 1000).toISOString();

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
      ...PROMO_REQUEST,
      userId: user,
      ...token,
      kind: 'applied',
      deviceId: '',
      requestDate,
      eventId: `${user}#${encodeURIComponent(promoCode)}#applied`,
      receivedAt: stored?.receivedAt,
    });
    expect([start, stored?.receivedAt, end]).toEqual([start, stored?.receivedAt, end].sort());
  }
});

test('20 concurrent copies of a request store one applied event and nothing else', async () => {
  const { user, apply, events } = newUser();
  const headers = { 'Request-Date': dateAt(0) };
  const answers = await Promise.all(Array.from({ length: 20 }, () => apply({}, headers)));
  expect(new Set(answers.map(({ data }) => data.outcome))).toEqual(new Set(['applied']));
  expect((await events()).map(({ eventId }) => eventId)).toEqual([`${user}#WELCOME10#applied`]);
});

test('requests with other dates are repetitions of one application, however the dates are spelled', async () => {
  const { apply, events } = newUser();
  const dates = Array.from({ length: 5 }, (_, second) => dateAt(second));
  const answers = await Promise.all(dates.map((date) => apply({}, { 'Request-Date': date })));
  const outcomes = answers.map(({ data }) => data.outcome).sort();
  expect(outcomes).toEqual(['applied', ...Array(4).fill('repeated')]);
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
  ['another interaction', { source: 'till' }, { source: 'till' }],
])('%s is stored as it counts', async (_, sent, stored) => {
  const { user, apply, events } = newUser();
  await apply(sent);
  const [{ eventId, kind, deviceId, requestDate, receivedAt, ...event } = {}] = await events();
  expect(event).toEqual({ ...PROMO_REQUEST, userId: user, ...stored });
});

test('characters around a code that nobody sees do not make another code', async () => {
  // Joiners, marks of direction, soft hyphens, fillers, anchors, and spaces.
  const unseen = fc.constantFrom(
    '\u200b',
    '\u200d',
    '\u200e',
    '\u00ad',
    '\u034f',
    '\u115f',
    '\u2060',
    '\u3164',
    '\ufeff',
    '\ufffc',
    '\u2800',
    '\u{e0001}',
    ' ',
    '\t',
  );
  const around = fc.array(unseen, { maxLength: 20 }).map((all) => all.join(''));
  const codes = [
    'PASTE',
    '1234567890',
    'A\u200bB',
    '⠎\u2800⠁',
    '☀\ufe0f',
    '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    '👨\u200d👩',
  ];
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...codes), around, around, async (code, before, after) => {
      const { apply, events } = newUser();
      await apply({ promoCode: `${before}${code}${after}` });
      expect((await events()).map(({ promoCode }) => promoCode)).toEqual([code]);
    }),
  );
});

test('bytes that are not UTF-8 do not make one code of two', async () => {
  for (const promoCode of ['NOËL', 'NOÏL']) {
    const body = Buffer.from(JSON.stringify({ ...PROMO_REQUEST, promoCode }), 'latin1');
    const answer = await service.applyPromoCode({ body });
    expect(answer.body.errors).toMatchObject([{ pointer: '/promoCode' }]);
  }
});

test('a request whose date was sent with other values says which are not stored', async () => {
  const { apply, events } = newUser();
  const headers = { 'Request-Date': dateAt(7) };
  const send = async (body: object) =>
    (await apply({ promoCodeToken: 'first', ...body }, headers)).warnings;
  expect(await send({})).toEqual([]);
  const kept = await events();
  expect(await send({})).toEqual([]);
  // What is left out is not lost.
  expect(await send({ promoCodeToken: undefined })).toEqual([]);
  const [warning] = await send({ promoCodeToken: 'hush-2', source: 'hush-3' });
  expect(warning).toContain(' promoCodeToken, source ');
  expect(warning).not.toContain('hush');
  expect(await events()).toEqual(kept);
  // The same is true of a repetition.
  const later = { 'Request-Date': dateAt(8) };
  expect((await apply({ source: 'first' }, later)).warnings).toEqual([]);
  expect((await apply({ source: 'first' }, later)).warnings).toEqual([]);
  const repeated = await apply({ source: 'hush-4', promoCodeToken: 'hush-5' }, later);
  expect(repeated.data.outcome).toBe('repeated');
  expect(repeated.warnings[0]).toContain(' promoCodeToken, source ');
  expect(repeated.warnings[0]).not.toContain('hush');
});

describe('of a client whose codes ignore case', () => {
  const IGNORING = { clientId: 'no-case', promoCodesIgnoreCase: true };
  const outcomesOf = async (apply: ReturnType<typeof newUser>['apply'], ...codes: string[]) => {
    const outcomes: string[] = [];
    for (const [second, promoCode] of codes.entries()) {
      const body = { clientId: IGNORING.clientId, promoCode };
      const { data } = await apply(body, { 'Request-Date': dateAt(second) });
      outcomes.push(data.outcome);
    }
    return outcomes;
  };
  const itemsOf = async (user: string) =>
    (await service.promoEvents(IGNORING.clientId)).filter(({ userId }) => userId === user);
  beforeAll(() => service.putConfig({ ...CLIENT, ...IGNORING }));

  test('one code, typed with another shift key, is applied once', async () => {
    const { user, apply } = newUser();
    expect(await outcomesOf(apply, 'Save10', 'SAVE10', 'save10', 'sAVE10')).toEqual([
      'applied',
      ...Array(3).fill('repeated'),
    ]);
    const items = await itemsOf(user);
    expect(items.map(({ promoCode }) => promoCode).sort()).toEqual(
      ['SAVE10', 'Save10', 'sAVE10', 'save10'].sort(),
    );
    expect(new Set(items.map(({ codeIdentity }) => codeIdentity))).toEqual(new Set(['SAVE10']));
    const [applied] = items.filter(({ kind }) => kind === 'applied');
    expect(applied).toMatchObject({ promoCode: 'Save10', eventId: `${user}#SAVE10#applied` });
  });

  test('a letter that is not of ASCII keeps its case', async () => {
    const { apply } = newUser();
    expect(await outcomesOf(apply, 'noël', 'NOËL')).toEqual(['applied', 'applied']);
  });

  test('one date with the code in another case stores it once, and says what is not stored', async () => {
    const { user, apply } = newUser();
    const headers = { 'Request-Date': dateAt(0) };
    const send = (promoCode: string) => apply({ clientId: IGNORING.clientId, promoCode }, headers);
    expect((await send('save10')).warnings).toEqual([]);
    const again = await send('SAVE10');
    expect(again.data.outcome).toBe('applied');
    expect(again.warnings[0]).toContain(' promoCode ');
    expect((await itemsOf(user)).map(({ promoCode }) => promoCode)).toEqual(['save10']);
  });

  test.each([
    ['false', false],
    ['absent', undefined],
    ['a text', 'true'],
    ['a number', 1],
  ])('case counts if the attribute is %s', async (name, promoCodesIgnoreCase) => {
    const { user, apply } = newUser();
    const clientId = `case-${name}`;
    await service.putConfig({ ...CLIENT, clientId, promoCodesIgnoreCase });
    for (const promoCode of ['SAVE10', 'save10']) {
      expect((await apply({ clientId, promoCode })).data.outcome).toBe('applied');
    }
    const items = await service.promoEvents(clientId);
    expect(items.map(({ eventId }) => eventId).sort()).toEqual([
      `${user}#SAVE10#applied`,
      `${user}#save10#applied`,
    ]);
    for (const item of items) expect(item).not.toHaveProperty('codeIdentity');
  });
});

test('the letter case of a UUID does not make another user', async () => {
  const user = '5f0c7e6a-1b2c-4d3e-8f90-a1b2c3d4e5f6';
  const apply = async (userId: string) =>
    service.applyPromoCode({ token: { user }, body: { ...PROMO_REQUEST, userId } });
  const spellings = [user.toUpperCase(), user, user.replace('f', 'F')];
  const outcomes: string[] = [];
  for (const userId of spellings) outcomes.push((await apply(userId)).body.data.outcome);
  // Each has a date of its own.
  expect(outcomes).toEqual(['applied', 'repeated', 'repeated']);
  const events = (await service.promoEvents()).filter(
    ({ userId }) => userId.toLowerCase() === user,
  );
  expect(new Set(events.map(({ userId }) => userId))).toEqual(new Set([user]));
  for (const other of [user.replace('5', '6'), `${user} `, user.replaceAll('-', '')]) {
    expect((await apply(other)).status).toBe(403);
  }
});

type Token = [status: number, claims: object];

test.each<[claim: string, tokens: Token[]]>([
  [
    'custom:userId',
    [
      [200, { 'custom:userId': 'shopper-1' }],
      [403, { 'custom:userId': 'shopper-2' }],
      [403, { 'custom:userId': ['shopper-1'] }],
      [403, {}],
    ],
  ],
  // Every object inherits it.
  ['constructor', [[403, {}]]],
  [
    'email',
    [
      [200, { email: 'shopper-1', email_verified: true }],
      [200, { email: 'shopper-1', email_verified: 'true' }],
      [403, { email: 'shopper-1', email_verified: false }],
      ...['false', 'True', ' true', '1', 1, ['true'], {}, null].map((email_verified): Token => {
        return [403, { email: 'shopper-1', email_verified }];
      }),
    ],
  ],
  [
    'phone_number',
    [
      [200, { phone_number: 'shopper-1', phone_number_verified: 'true' }],
      [403, { phone_number: 'shopper-1' }],
      [403, { phone_number: 'shopper-1', email_verified: 'true' }],
    ],
  ],
  ['none', [[200, {}]]],
])('if a user is known by %s, only their tokens apply codes', async (claim, tokens) => {
  const environment = { USER_ID_CLAIM: claim, PROMO_EVENT_RETENTION_DAYS: '90' };
  await using bound = await startService({ environment });
  for (const [index, [status, claims]] of tokens.entries()) {
    const body = { ...PROMO_REQUEST, userId: 'shopper-1', promoCode: String(index) };
    const log = bound.watchLog();
    const answer = await bound.applyPromoCode({ token: { claims: { ...claims } }, body });
    expect(answer.status).toBe(status);
    if (status === 200) continue;
    // Operators tell customers what to do about it.
    const isUnverified = claim === 'email' || claim === 'phone_number';
    await log.logged(`"mistake":"${isUnverified ? 'unverified' : 'otherUser'}"`);
    // App developers look for the setting and the token that do not fit.
    expect(answer.body.errors).toMatchObject([
      { pointer: '/userId', message: expect.stringContaining(claim) },
    ]);
  }
  const events = await bound.promoEvents();
  const applied = [...tokens.keys()].filter((index) => tokens[index]?.[0] === 200);
  expect(events.map(({ promoCode }) => Number(promoCode))).toEqual(applied);
  for (const { expiresAt, receivedAt } of events) {
    expect(expiresAt).toBe(Math.floor(Date.parse(receivedAt) / 1000) + 90 * DAY_SECONDS);
  }
});
