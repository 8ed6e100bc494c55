import fc from 'fast-check';
import { expect, test } from 'vitest';
import { appliedEventId, repeatedEventId } from '../../../../core/promo-events/promo-event.ts';

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

test('no repetition has the key of an application', () => {
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
