import { expect, test } from 'vitest';
import { printable } from '../../../core/text.ts';

test('control characters are printed so that a terminal does not interpret them', () => {
  expect(printable('a\u001b[31mb\u0007\u009b\n')).toBe('a\\u001b[31mb\\u0007\\u009b\\u000a');
  expect(printable('\u0000\u001f\u007f\u009f')).toBe('\\u0000\\u001f\\u007f\\u009f');
  expect(printable('\u2028\u202e\u2066\u2069')).toBe('\\u2028\\u202e\\u2066\\u2069');
  for (const text of ['Zoë ☃', ' ~\u00a0\u2027\u202f\u2065\u206a', 'שלום\u200f!']) {
    expect(printable(text)).toBe(text);
  }
});
