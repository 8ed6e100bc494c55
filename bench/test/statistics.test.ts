import { expect, test } from 'vitest';
import { medianAndQuartiles, ratio, slope } from '../results/statistics.ts';

test('a ratio is the median of the ratios of the rounds, not the ratio of the medians', () => {
  // In the second round, the machine was ten times as slow.
  expect(ratio([1, 20, 3], [2, 40, 3])).toBe(0.5);
});

test('a ratio is NaN unless both sides were measured in each round', () => {
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
