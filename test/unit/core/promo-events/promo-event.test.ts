import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
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

test('two applications have the same key only when user and code are the same', () => {
  fc.assert(
    fc.property(tricky, tricky, tricky, tricky, (userId, promoCode, otherUser, otherCode) => {
      const other = { userId: otherUser, promoCode: otherCode };
      const isSame = userId === otherUser && promoCode === otherCode;
      expect(appliedEventId({ userId, promoCode }) === appliedEventId(other)).toBe(isSame);
    }),
  );
});

test('a repetition never has the key of an application', () => {
  fc.assert(
    fc.property(tricky, tricky, tricky, tricky, (userId, promoCode, otherUser, otherCode) => {
      const repeated = repeatedEventId({ userId: otherUser, promoCode: otherCode, requestDate });
      expect(appliedEventId({ userId, promoCode })).not.toBe(repeated);
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

describe('reading an event from a message', () => {
  const event = eventOf('user');

  test.each([event, { ...event, promoCodeToken: 'token' }])('returns an event', (stored) => {
    expect(readPromoEvent(JSON.stringify(stored))).toEqual({ event: stored });
  });

  test('drops other properties', () => {
    expect(readPromoEvent(JSON.stringify({ ...event, other: 1 }))).toEqual({ event });
  });

  test.each([
    ['not JSON', '{', 'It is not JSON.'],
    ['not an object', '"secret"', 'It must be Object.'],
    [
      'every problem at once',
      JSON.stringify({ ...event, userId: 7, promoCode: undefined }),
      'userId must be string. promoCode must be "promoCode".',
    ],
    [
      'a time in another format',
      JSON.stringify({ ...event, receivedAt: 'secret' }),
      'receivedAt must be in another format.',
    ],
  ])('%s', (_, body, problem) => {
    expect(readPromoEvent(body)).toEqual({ problem });
  });
});

test("only the keys of a user's events start with the prefix of the user", () => {
  expect(userPrefix('a#b')).toBe('a%23b#');
  expect(appliedEventId({ userId: 'a#b', promoCode: 'c' })).toBe('a%23b#c#applied');
});
