import { expect, test } from 'vitest';
import { errorEnvelope } from '../../../functions/http/envelope.ts';
import { UnauthorizedError } from '../../../functions/http/errors.ts';
import { expectDescribed } from '../../support/expect-described.ts';

const PATH = '/customerData/getConfig';
const UNAUTHORIZED = errorEnvelope(new UnauthorizedError());

test('only a response that the document describes passes', () => {
  expectDescribed(PATH, 401, UNAUTHORIZED);
  for (const [path, status, body] of [
    [PATH, 400, UNAUTHORIZED],
    [PATH, 418, UNAUTHORIZED],
    [PATH, 401, { ...UNAUTHORIZED, secret: 1 }],
    [PATH, 401, undefined],
    ['/nothing', 401, UNAUTHORIZED],
  ] as const) {
    expect(() => expectDescribed(path, status, body)).toThrow();
  }
});
