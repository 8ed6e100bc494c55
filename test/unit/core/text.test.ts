import { expect, test } from 'vitest';
import { printable } from '../../../core/text.ts';

test('control characters are printed so that a terminal does not interpret them', () => {
  expect(printable('a\u001b[31mb\u0007\u009b\n')).toBe('a\\u001b[31mb\\u0007\\u009b\\u000a');
  expect(printable('Zoë ☃')).toBe('Zoë ☃');
});
