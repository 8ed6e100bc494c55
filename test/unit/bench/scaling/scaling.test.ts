import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import {
  CALLS_A_DAY,
  measuredCosts,
  scaleAt,
  scalingTables,
} from '../../../../bench/scaling/scaling.ts';

const text = (file: string) => readFile(new URL(`../../../../${file}`, import.meta.url), 'utf8');
const costs = measuredCosts(await text('docs/performance.md'));

/** One dollar per million calls for each part. */
const UNIT = {
  getConfig: { lambda: 1, dynamodb: 1, transfer: 1 },
  applyPromoCode: { lambda: 1, dynamodb: 1, transfer: 1 },
};

test('docs/scaling.md has the tables that npm run scaling computes', async () => {
  const document = await text('docs/scaling.md');
  expect(document.split(/<!-- computed -->\n\n|\n\n<!-- end -->/)[1]).toBe(scalingTables(costs));
});

test('the measured costs are those of our own operations in the report', () => {
  const report = (operation: string, row: string) =>
    `Cost, ${operation}: US dollars per million calls\n   total  gateway  Lambda\n${row}\n`;
  const read = measuredCosts(
    report('getConfig', '  ours  4.15  3.50 (84 %)  0.21 (5 %)  0.02 (0 %)  0.43 (10 %)') +
      report('promoCode/apply', '  ours  4.36  3.50 (80 %)  0.23 (5 %)  0.63 (14 %)  0.01 (0 %)'),
  );
  expect(read).toEqual({
    getConfig: { lambda: 0.21, dynamodb: 0.02, transfer: 0.43 },
    applyPromoCode: { lambda: 0.23, dynamodb: 0.63, transfer: 0.01 },
  });
  expect(() => measuredCosts(report('getConfig', '  floor  4  3.5 (1 %)  1  1  1'))).toThrow(
    'The report has no cost of getConfig.',
  );
});

test('the load follows from the number of calls', () => {
  const { peakCallsPerSecond, ...scale } = scaleAt(86_400_000, UNIT);
  expect(scale.callsPerSecond).toBe(1000);
  expect(peakCallsPerSecond).toBe(10_000);
  expect(scale.writesPerSecond).toBe(1000);
  expect(scale.getConfigPerSecond).toBe(9000);
  expect(scale.readsPerSecond).toBe(500);
  expect(scale.partitions).toBe(1);
  expect(scaleAt(86_400_001, UNIT).partitions).toBe(2);
  // 10,000 × (10 ms + 300 ms / 200)
  expect(scale.concurrency).toBe(115);
  expect(scale.accounts).toBe(2);
});

test('the cost follows from the prices, and the gateway becomes cheaper with volume', () => {
  const day = 12 / 365;
  const million = scaleAt(1_000_000 * day, UNIT).dollars;
  expect(million['API Gateway']).toBeCloseTo(3.5, 9);
  expect(million.Lambda).toBeCloseTo(1, 9);
  expect(million['AWS WAF']).toBeCloseTo(5 + 5 + 0.6, 9);
  expect(million.EventBridge).toBeCloseTo(0.14, 9);
  expect(million.logs).toBeCloseTo((1_000_000 * 512 * 0.5) / 1024 ** 3, 9);
  // Fewer than one call a second: each is recorded.
  expect(million.traces).toBeCloseTo(5, 9);
  const month = (365 / 12) * 24 * 60 * 60;
  expect(scaleAt(21 * 86_400, UNIT).dollars.traces).toBeCloseTo((2 * month * 5) / 1_000_000, 9);
  const gateway = (calls: number) => scaleAt(calls * day, UNIT).dollars['API Gateway'];
  expect(gateway(333e6)).toBeCloseTo(1165.5, 6);
  expect(gateway(1e9)).toBeCloseTo(1165.5 + 667 * 2.8, 6);
  expect(gateway(21e9)).toBeCloseTo(1165.5 + 667 * 2.8 + 19_000 * 2.38 + 1000 * 1.51, 4);
});

test('the mix of operations decides which measured cost counts', () => {
  const only = (lambda: number) => ({ lambda, dynamodb: 0, transfer: 0 });
  const { dollars } = scaleAt(12e6 / 365, { getConfig: only(10), applyPromoCode: only(100) });
  expect(dollars.Lambda).toBeCloseTo(0.9 * 10 + 0.1 * 100, 9);
});

test('the table has a column for a thousand, a million and a billion calls a day', () => {
  expect(CALLS_A_DAY).toEqual([1000, 1_000_000, 1_000_000_000]);
});
