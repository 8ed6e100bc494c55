import { expect, test } from 'vitest';
import { cheapestSize, dollarsOf } from '../results/memory-size.ts';
import { PRICES } from '../results/prices.ts';
import { ratio } from '../results/statistics.ts';
import { figuresFixture } from './figures-fixture.ts';

test('a ratio is the median of the ratios of the rounds that both took part in', () => {
  // In the second round, the machine was ten times as slow.
  expect(ratio([1, 20, 3], [2, 40, 3])).toBe(0.5);
  expect(ratio([1, 1, 9, 9, 9], [2, 2])).toBe(0.5);
  expect(ratio([1, 1, 1], [])).toBeNaN();
});

const { sizes } = figuresFixture();
/** The cheapest size if warm calls take these times, in milliseconds by size. */
const cheapest = (times: Readonly<Record<number, readonly number[]>>) =>
  cheapestSize(
    sizes.map((size) => ({
      ...size,
      initialisation: [100],
      first: [100],
      warm: times[size.megabytes] ?? [10],
    })),
  );

test('the default is the cheapest memory size whose p99 is within 10 % of the best', () => {
  expect(cheapest({})).toBe(256);
  expect(cheapest({ 256: [40], 512: [11] })).toBe(512);
  expect(cheapest({ 256: [40], 512: [11.2] })).toBe(1024);
  // One slow call in twenty makes a size too slow.
  expect(cheapest({ 256: [...Array(19).fill(10), 20] })).toBe(512);
});

test('a million calls cost their whole milliseconds, and a start for one in 200', () => {
  const times = { initialisation: [100], first: [20.5], warm: [9.2, 10.5] };
  const warm = (10 + 11) / 2;
  const seconds = (warm + (100 + 21 - warm) / 200) / 1000;
  expect(dollarsOf({ megabytes: 1024, operation: 'get-config', ...times })).toBeCloseTo(
    (PRICES.lambdaRequest + seconds * PRICES.lambdaGigabyteSecond) * 1_000_000,
  );
});
