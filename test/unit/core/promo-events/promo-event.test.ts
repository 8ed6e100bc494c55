import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IDENTIFIER_MAX_BYTES } from '../../../../core/identifiers.ts';
import {
  appliedEventId,
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
});

test('the longest sort key within the limits of identifiers fits into DynamoDB', () => {
  // Each of their bytes becomes three when it is percent-encoded.
  const userId = 'é'.repeat(IDENTIFIER_MAX_BYTES / 2) + 'x'.repeat(IDENTIFIER_MAX_BYTES % 2);
  const promoCode = '🎁'.repeat(PROMO_CODE_MAX);
  const longestDate = '2026-11-20T09:30:00.123456789Z';
  const key = repeatedEventId({ userId, promoCode, requestDate: longestDate });
  expect(Buffer.byteLength(userId)).toBe(IDENTIFIER_MAX_BYTES);
  expect(Buffer.byteLength(key)).toBeLessThanOrEqual(SORT_KEY_MAX_BYTES);
});

const EVENT = eventOf('user');

test.each([
  ['an event', EVENT, EVENT],
  ['an event with a token', { ...EVENT, promoCodeToken: 't' }, { ...EVENT, promoCodeToken: 't' }],
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
  ['several problems', JSON.stringify({ ...EVENT, userId: 7, promoCode: 8 }), /userId.*promoCode/],
  ['a wrong time', JSON.stringify({ ...EVENT, receivedAt: 'secret' }), /^receivedAt /],
])('a message with %s is none, and the reason quotes nothing of it', (_, body, expected) => {
  const { event, problem } = readPromoEvent(body);
  expect(event).toBeUndefined();
  expect(problem).toMatch(expected);
  expect(problem).not.toContain('secret');
});
