import { expect, test } from 'vitest';
import { ratio } from '../results/statistics.ts';

test('a ratio is the median of the ratios of the rounds that both took part in', () => {
  // In the second round, the machine was ten times as slow.
  expect(ratio([1, 20, 3], [2, 40, 3]).value).toBe(0.5);
  expect(ratio([1, 1, 9, 9, 9], [2, 2]).value).toBe(0.5);
  expect(ratio([1, 1, 1], []).value).toBeNaN();
});

test.each([
  [1, 1, 1],
  [5, 1, 5],
  [30, 10, 21],
  [60, 23, 38],
])('the interval of a ratio of %i rounds is from the %ith to the %ith', (rounds, low, high) => {
  // By the table of the binomial distribution with p = 0.5.
  const ratios = Array.from({ length: rounds }, (_, index) => ((index * 7) % rounds) + 1);
  expect(ratio(ratios, Array(rounds).fill(1))).toMatchObject({ low, high });
});
