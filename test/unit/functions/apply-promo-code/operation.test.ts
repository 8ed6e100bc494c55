import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import {
  ApplyPromoCodeRequest,
  applyPromoCode,
  EVENT_NAME_MAX,
  PROMO_CODE_MAX,
  PROMO_CODE_TOKEN_MAX,
} from '../../../../functions/apply-promo-code/operation.ts';

const EXAMPLE = applyPromoCode.example.request;
const read = (change: object) => v.safeParse(ApplyPromoCodeRequest, { ...EXAMPLE, ...change });

test.each([{}, { promoCodeToken: null }, { promoCodeToken: '' }])(
  'a token of %j counts as absent',
  (change) => {
    expect(read(change).output).toEqual(EXAMPLE);
  },
);

test.each(['promoCode', 'promoCodeToken', 'eventType', 'source'])('%s must be a string', (name) => {
  expect(read({ [name]: 7 }).issues?.map(({ message }) => message)).toEqual(['must be a string']);
});

test('a token is read as it is', () => {
  expect(read({ promoCodeToken: ' a ' }).output).toEqual({ ...EXAMPLE, promoCodeToken: ' a ' });
});

describe.each([
  ['promoCode', 1, PROMO_CODE_MAX],
  ['promoCodeToken', 0, PROMO_CODE_TOKEN_MAX],
  ['eventType', 1, EVENT_NAME_MAX],
  ['source', 1, EVENT_NAME_MAX],
])('%s', (name, min, max) => {
  test(`may have ${min} to ${max} characters, an emoji being one`, () => {
    for (const character of ['x', '🎁']) {
      for (const length of [min, max]) {
        expect(read({ [name]: character.repeat(length) }).success).toBe(true);
      }
      expect(read({ [name]: character.repeat(max + 1) }).success).toBe(false);
    }
    if (min > 0) expect(read({ [name]: '' }).success).toBe(false);
  });

  test.each(['\u0000', '\u001f', '\u007f', '\u009f', '\ud800', '\udc00'])(
    'may not have %j, wherever it is',
    (character) => {
      for (const value of [`${character}ab`, `a${character}b`, `ab${character}`]) {
        // A code is trimmed first: what trim removes at an end is not a mistake there.
        expect(read({ [name]: value }).success).toBe(value.trim() !== value);
      }
    },
  );
});
