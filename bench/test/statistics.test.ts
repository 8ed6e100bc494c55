import { expect, test } from 'vitest';
import { medianAndQuartiles, ratio, slope } from '../results/statistics.ts';

test('a ratio is the median of the ratios of the rounds, not the ratio of the medians', () => {
  // In the second round, the machine was ten times as slow.
  expect(ratio([1, 20, 3], [2, 40, 3])).toBe(0.5);
});

test('only the rounds that both took part in count', () => {
  expect(ratio([1, 1, 9, 9, 9], [2, 2])).toBe(0.5);
  expect(ratio([2, 2], [1, 1, 9, 9, 9])).toBe(2);
});

test('a ratio is NaN if there is no round that both took part in', () => {
  expect(ratio([1, 1, 1], [])).toBeNaN();
});

test('a slope is that of the best-fitting line', () => {
  expect(
    slope([
      [0, 1],
      [10, 21],
      [20, 41],
    ]),
  ).toBeCloseTo(2);
});

test('a median is shown with its quartiles', () => {
  expect(medianAndQuartiles([50, 10, 30, 20, 40], 1)).toBe('30.0 (20.0–40.0)');
});
