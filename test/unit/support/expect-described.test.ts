import { expect, test } from 'vitest';
import { errorEnvelope } from '../../../functions/api/envelope.ts';
import { UnauthorizedError } from '../../../functions/api/errors.ts';
import { expectDescribed } from '../../support/expect-described.ts';

const PATH = '/customerData/getConfig';
const UNAUTHORIZED = errorEnvelope(new UnauthorizedError());

test('a response that the document describes passes', () => {
  expect(() => expectDescribed(PATH, 401, UNAUTHORIZED)).not.toThrow();
});

test.each<[string, string, number, unknown]>([
  ['with another status', PATH, 400, UNAUTHORIZED],
  ['with a status that no operation has', PATH, 418, UNAUTHORIZED],
  ['with a property that it must not have', PATH, 401, { ...UNAUTHORIZED, secret: 1 }],
  ['without a body', PATH, 401, undefined],
  ['of a path that does not exist', '/nothing', 401, UNAUTHORIZED],
])('a response %s fails', (_, path, status, body) => {
  expect(() => expectDescribed(path, status, body)).toThrow();
});
