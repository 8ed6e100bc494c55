import { quantile } from 'simple-statistics';
import { MEMORY_SIZES, type MemorySizeFigures } from '../lambda/memory-sizes.ts';
import { CALLS_PER_COLD_START } from './assumptions.ts';
import { PRICES } from './prices.ts';

/** A size is fast enough if its p99 is at most this many times the best one. */
const TOLERANCE = 1.1;

/**
 * What Lambda bills for a million calls of one operation with one memory size: each call in whole
 * milliseconds, and a start with its first call for one call in 200. Lambda bills the
 * initialisation, too.
 */
export function dollarsOf({ megabytes, initialisation, first, warm }: MemorySizeFigures): number {
  const billed = (all: readonly number[]) => mean(all.map(Math.ceil));
  const milliseconds =
    billed(warm) + (billed(initialisation) + billed(first) - billed(warm)) / CALLS_PER_COLD_START;
  const perCall =
    PRICES.lambdaRequest + (milliseconds / 1000) * (megabytes / 1024) * PRICES.lambdaGigabyteSecond;
  return perCall * 1_000_000;
}

/**
 * The cheapest memory size whose p99 of warm calls is within 10 % of the best. The operation that
 * is further from its best counts.
 */
export function cheapestSize(sizes: readonly MemorySizeFigures[]): number {
  const operations = [...Map.groupBy(sizes, ({ operation }) => operation).values()];
  const slowness = (megabytes: number) =>
    Math.max(
      ...operations.map((ofOperation) => {
        const own = ofOperation.filter((one) => one.megabytes === megabytes);
        return Math.max(...own.map(p99)) / Math.min(...ofOperation.map(p99));
      }),
    );
  const best = Math.min(...MEMORY_SIZES.map(slowness));
  const dollars = (megabytes: number) =>
    sizes
      .filter((one) => one.megabytes === megabytes)
      .reduce((sum, one) => sum + dollarsOf(one), 0);
  const [cheapest = Number.NaN] = MEMORY_SIZES.filter(
    (megabytes) => slowness(megabytes) <= best * TOLERANCE,
  ).sort((one, other) => dollars(one) - dollars(other));
  return cheapest;
}

function p99({ warm }: MemorySizeFigures): number {
  return quantile([...warm], 0.99);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
