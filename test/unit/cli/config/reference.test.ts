import { expect, test } from 'vitest';
import { readVersionOrName, readVersionReference } from '../../../../cli/config/reference.ts';

test.each([
  ['pizza@1', 'pizza', 1],
  ['old@hut@2', 'old@hut', 2],
  ['pizza@999999999999999', 'pizza', 999_999_999_999_999],
])('%s is a version', (text, clientId, version) => {
  expect(readVersionOrName(text)).toEqual({ clientId, version });
});

test.each([
  ...['pizza', 'pizza@', '@1', 'pizza@0', 'pizza@01', 'pizza@-1', 'pizza@1.5', 'pizza@latest'],
  // JavaScript could not hold more digits exactly.
  'pizza@1000000000000000',
])('%s is none, and may be a name', (text) => {
  expect(() => readVersionReference(text)).toThrow();
  expect(readVersionOrName(text)).toBe(text);
});

test('a version of what cannot be a client is refused', () => {
  expect(() => readVersionOrName(`${'x'.repeat(256)}@1`)).toThrow();
});
