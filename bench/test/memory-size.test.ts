import { expect, test } from 'vitest';
import { cheapestSize, dollarsOf } from '../results/memory-size.ts';
import { PRICES } from '../results/prices.ts';
import { figuresFixture } from './figures-fixture.ts';

const { sizes } = figuresFixture();

/** The fixture with other times of warm calls, by the size. */
const withWarm = (times: Readonly<Record<number, number>>) =>
  sizes.map((size) => ({ ...size, warm: [times[size.megabytes] ?? 10] }));

test('the cheapest size within 10 % of the best p99 is chosen', () => {
  expect(cheapestSize(withWarm({ 256: 40, 512: 11, 1024: 10, 1769: 10 }))).toBe(512);
  expect(cheapestSize(withWarm({ 256: 40, 512: 11.2, 1024: 10, 1769: 10 }))).toBe(1024);
});

test('one call in twenty that is slow makes a size too slow', () => {
  const often = sizes.map((size) =>
    size.megabytes === 256 ? { ...size, warm: [...Array(19).fill(10), 20] } : size,
  );
  expect(cheapestSize(often)).toBe(512);
});

test('a size that is too slow for one operation is not chosen', () => {
  const slow = sizes.map((size) =>
    size.megabytes === 256 && size.operation === 'get-config' ? { ...size, warm: [20] } : size,
  );
  expect(cheapestSize(sizes)).toBe(256);
  expect(cheapestSize(slow)).toBe(512);
});

test('a million calls cost their whole milliseconds, and a start for one in 200', () => {
  const one = {
    megabytes: 1024,
    operation: 'get-config',
    initialisation: [100],
    first: [20.5],
    warm: [9.2, 10.5],
  } as const;
  const warm = (10 + 11) / 2;
  const milliseconds = warm + (100 + 21 - warm) / 200;
  const perCall = PRICES.lambdaRequest + (milliseconds / 1000) * PRICES.lambdaGigabyteSecond;
  expect(dollarsOf(one)).toBeCloseTo(perCall * 1_000_000, 9);
});
