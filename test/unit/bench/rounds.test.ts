import { expect, test } from 'vitest';
import { inTurn } from '../../../bench/measurements/rounds.ts';

test('rounds go forwards and backwards in turn', () => {
  const candidates = ['a', 'b', 'c'];
  expect([0, 1, 2].map((round) => inTurn(candidates, round).join(''))).toEqual([
    'abc',
    'cba',
    'abc',
  ]);
  expect(candidates).toEqual(['a', 'b', 'c']);
});

test('a round before the first one, a warm-up, alternates as well', () => {
  expect([-2, -1, 0].map((round) => inTurn('abc', round).join(''))).toEqual(['abc', 'cba', 'abc']);
});
