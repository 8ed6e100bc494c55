import { mean, quantile } from 'simple-statistics';
import { MEMORY_SIZES, type MemorySizeFigures } from '../lambda/memory-sizes.ts';
import { lambdaDollars } from './cost.ts';

/** A size is fast enough if its p99 is at most this many times the best one. */
const TOLERANCE = 1.1;

/**
 * The price that Lambda bills for a million calls of one operation with one memory size: each call
 * in whole milliseconds, and the initialisation, too.
 */
export function dollarsOf({ megabytes, initialisation, first, warm }: MemorySizeFigures): number {
  const billed = (all: readonly number[]) => mean(all.map(Math.ceil));
  return lambdaDollars(billed(warm), billed(initialisation) + billed(first), megabytes);
}

/**
 * The cheapest memory size whose p99 of warm calls is within 10 % of the best. The operation that
 * is further from its best counts.
 */
export function cheapestSize(sizes: readonly MemorySizeFigures[]): number {
  const p99 = ({ warm }: MemorySizeFigures) => quantile(warm, 0.99);
  const slowness = (one: MemorySizeFigures) => {
    const sameOperation = sizes.filter(({ operation }) => operation === one.operation);
    return p99(one) / Math.min(...sameOperation.map(p99));
  };
  const all = MEMORY_SIZES.map((megabytes) => {
    const own = sizes.filter((one) => one.megabytes === megabytes);
    const dollars = own.reduce((sum, one) => sum + dollarsOf(one), 0);
    return { megabytes, slowness: Math.max(...own.map(slowness)), dollars };
  });
  const best = Math.min(...all.map((one) => one.slowness));
  const fastEnough = all.filter((one) => one.slowness <= best * TOLERANCE);
  const [cheapest] = fastEnough.sort((one, other) => one.dollars - other.dollars);
  return cheapest?.megabytes ?? Number.NaN;
}
