import { expect, test } from 'vitest';
import { defaultProvider } from '../../../../lib/bundle/credential-provider-node.ts';

test('a client of a bundle without credentials says what it needs', () => {
  expect(defaultProvider).toThrow('Give the client its credentials.');
});
