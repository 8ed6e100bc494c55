import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IDENTIFIER_MAX_BYTES } from '../../../../core/identifiers.ts';
import {
  appliedEventId,
  type PromoEvent,
  readPromoEvent,
  repeatedEventId,
  userPrefix,
} from '../../../../core/promo-events/promo-event.ts';
import { PROMO_CODE_MAX } from '../../../../functions/apply-promo-code/operation.ts';
import { eventOf } from '../../../support/promo-event.ts';

// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
const SORT_KEY_MAX_BYTES = 1024;

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 });
const tricky = fc.oneof(text, fc.stringMatching(/^[#%23ab]{1,6}$/));
const requestDate = '2026-11-20T09:30:00.000Z';
const LONG_DATE = '2026-11-20T09:30:00.123456789Z';

test('two applications have the same key only if user and code are the same, and never that of a repetition', () => {
  fc.assert(
    fc.property(tricky, tricky, tricky, tricky, (userId, promoCode, otherUser, otherCode) => {
      const key = appliedEventId({ userId, promoCode });
      const other = { userId: otherUser, promoCode: otherCode, requestDate };
      const isSame = userId === otherUser && promoCode === otherCode;
      expect(key === appliedEventId(other)).toBe(isSame);
      expect(key).not.toBe(repeatedEventId(other));
      expect(key.startsWith(userPrefix(otherUser))).toBe(userId === otherUser);
    }),
  );
});

test('the keys are those of the data model', () => {
  const event = { userId: 'jane@example.com', promoCode: '10% off', requestDate };
  expect(appliedEventId(event)).toBe('jane%40example.com#10%25%20off#applied');
  expect(repeatedEventId(event)).toBe(`jane%40example.com#10%25%20off#repeated#${requestDate}`);
  const identified = { ...event, codeIdentity: '10% OFF' };
  expect(appliedEventId(identified)).toBe('jane%40example.com#10%25%20OFF#applied');
});

test('the longest sort key within the limits of identifiers fits into DynamoDB', () => {
  // Each of their bytes becomes three when it is percent-encoded.
  const userId = 'é'.repeat(IDENTIFIER_MAX_BYTES / 2) + 'x'.repeat(IDENTIFIER_MAX_BYTES % 2);
  const promoCode = '🎁'.repeat(PROMO_CODE_MAX);
  const key = repeatedEventId({ userId, promoCode, requestDate: LONG_DATE });
  expect(Buffer.byteLength(userId)).toBe(IDENTIFIER_MAX_BYTES);
  expect(Buffer.byteLength(key)).toBeLessThanOrEqual(SORT_KEY_MAX_BYTES);
});

const EVENT = eventOf('user');
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
const IDENTIFIED = eventOf('user', { promoCode: 'Save\u00e9', codeIdentity: 'Save\u00e9' });
const UPPER = { codeIdentity: 'SAVE\u00e9' };
const AHEAD = { ...EVENT, receivedAt: inMinutes(4) };
/**
 * Values that the service does not queue, and DynamoDB refuses or the commands cannot name. A
 * property of the table looks for others.
 */
const NEVER_STORED: readonly (readonly [keyof PromoEvent, string])[] = [
  ['clientId', 'x'.repeat(256)],
  ['clientId', 'secret\u0000'],
  ['userId', 'é'.repeat(128)],
  ['promoCode', ''],
  ['codeIdentity', 'x'.repeat(256)],
  ['codeIdentity', 'secret'],
  ['promoCodeToken', '\ud800secret'],
  ['receivedAt', 'secret'],
  ['receivedAt', '2026-02-30T09:30:00.412Z'],
  ['receivedAt', '2100-01-01T00:00:00.000Z'],
  ['receivedAt', inMinutes(6)],
  ['requestDate', '2026-11-20T09:30:00.412+01:00'],
  ['requestDate', `2026-11-20T09:30:00.${'1'.repeat(300)}Z`],
];

test.each([
  ['an event', EVENT, EVENT],
  [
    'a date with more digits',
    { ...EVENT, requestDate: LONG_DATE },
    { ...EVENT, requestDate: LONG_DATE },
  ],
  ['the code as its identity', IDENTIFIED, IDENTIFIED],
  ['the identity without case', { ...IDENTIFIED, ...UPPER }, { ...IDENTIFIED, ...UPPER }],
  ['the time of a clock that is ahead', AHEAD, AHEAD],
  ['an event and more', { ...EVENT, other: 1 }, EVENT],
  // As releases accepted it that did not refuse U+FFFD yet.
  [
    'an event in U+FFFD',
    eventOf('\ufffd', { promoCode: '\ufffd' }),
    eventOf('\ufffd', { promoCode: '\ufffd' }),
  ],
])('a message with %s is read', (_, body, event) => {
  expect(readPromoEvent(JSON.stringify(body))).toEqual({ event });
});

test.each([
  ['not JSON', '{"secret', /JSON/],
  ['not an object', '"secret"', /./],
  ...Object.keys(EVENT).map((name): [string, string, RegExp] => [
    `${name} of another type`,
    JSON.stringify({ ...EVENT, [name]: { secret: 7 } }),
    new RegExp(`^${name} `),
  ]),
  ['missing properties', '{"clientId":"demo"}', /^userId is missing\. promoCode is missing\./],
  ['several problems', JSON.stringify({ ...EVENT, userId: 7, promoCode: 8 }), /userId.*promoCode/],
  ...NEVER_STORED.map(([name, value]): [string, string, RegExp] => [
    `${name} that cannot be stored`,
    JSON.stringify({ ...EVENT, [name]: value }),
    new RegExp(`\\b${name} `),
  ]),
  ['too much text', JSON.stringify({ ...EVENT, source: 'secret'.repeat(70_000) }), /long/],
])('a message with %s is none, and the reason quotes nothing of it', (_, body, expected) => {
  const { event, problem } = readPromoEvent(body);
  expect(event).toBeUndefined();
  expect(problem).toMatch(expected);
  expect(problem).not.toContain('secret');
});
