import { expect, test } from 'vitest';
import { inTurn } from '../../../../bench/measurements/rounds.ts';

test('rounds alternate between forwards and backwards', () => {
  const candidates = ['a', 'b', 'c'];
  expect([0, 1, 2].map((round) => inTurn(candidates, round).join(''))).toEqual([
    'abc',
    'cba',
    'abc',
  ]);
  expect(candidates).toEqual(['a', 'b', 'c']);
});

test('a warm-up round before the first one alternates as well', () => {
  expect([-2, -1, 0].map((round) => inTurn('abc', round).join(''))).toEqual(['abc', 'cba', 'abc']);
});
