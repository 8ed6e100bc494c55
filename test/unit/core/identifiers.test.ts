import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { ClientId, UserId } from '../../../core/identifiers.ts';

const TOO_LONG = 'must have 1 to 255 characters';
const TOO_MANY_BYTES = 'must have at most 255 bytes in UTF-8';

describe.each([
  ['clientId', ClientId],
  ['userId', UserId],
])('%s', (_, schema) => {
  test.each([
    ['of 255 characters of one byte', 'x'.repeat(255), []],
    ['of 256 characters of one byte', 'x'.repeat(256), [TOO_LONG]],
    ['of 127 characters of two bytes and one of one', `${'é'.repeat(127)}x`, []],
    ['of 128 characters of two bytes', 'é'.repeat(128), [TOO_MANY_BYTES]],
    ['of 255 characters of two bytes', 'é'.repeat(255), [TOO_MANY_BYTES]],
    ['of 256 characters of two bytes', 'é'.repeat(256), [TOO_LONG]],
    ['of 63 characters of four bytes and three of one', `${'🎁'.repeat(63)}xxx`, []],
    ['of 64 characters of four bytes', '🎁'.repeat(64), [TOO_MANY_BYTES]],
    ['without characters', '', [TOO_LONG]],
    ['that is not a string', 7, ['must be a string']],
  ])('%s has one problem at most', (_, value, problems) => {
    const { issues = [] } = v.safeParse(schema, value);
    expect(issues.map(({ message }) => message)).toEqual(problems);
  });
});
