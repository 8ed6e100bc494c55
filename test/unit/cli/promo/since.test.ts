import { expect, test } from 'vitest';
import { readSince } from '../../../../cli/promo/since.ts';

const NOW = new Date('2026-11-22T12:00:00Z');

test.each([
  ['30m', '2026-11-22T11:30:00.000Z'],
  ['24h', '2026-11-21T12:00:00.000Z'],
  ['1440m', '2026-11-21T12:00:00.000Z'],
  ['7d', '2026-11-15T12:00:00.000Z'],
  ['2026-11-21', '2026-11-21T00:00:00.000Z'],
  ['2026-11-21T09:30Z', '2026-11-21T09:30:00.000Z'],
  ['2026-11-21T09:30:01.5Z', '2026-11-21T09:30:01.500Z'],
])('%s is %s', (text, expected) => {
  expect(readSince(text, NOW)).toBe(expected);
});

test.each([
  ...[
    '',
    '24',
    'h',
    '1w',
    '-1h',
    '10000d',
    '2026-13-01',
    '2026-11-21T09:30:00',
    'yesterday',
    '1 h',
  ],
  // Days that a month does not have, and an hour that a day does not have: JavaScript reads them as the next ones.
  ...['2026-02-29', '2026-11-31', '2026-02-30T09:30Z', '2026-11-21T24:00Z'],
])('%j is no time', (text) => {
  expect(readSince(text, NOW)).toBeUndefined();
});
