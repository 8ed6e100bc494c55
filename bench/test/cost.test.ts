import { describe, expect, test } from 'vitest';
import { DEFAULT_MEMORY_MEGABYTES } from '../../lib/settings/capacity.ts';
import { costs } from '../results/cost.ts';
import { PRICES } from '../results/prices.ts';
import { figuresFixture } from './figures-fixture.ts';

const all = costs(figuresFixture());

function costOf(name: string, operation: string) {
  return all.find((one) => one.candidate === name && one.operation === operation)?.cost;
}

test('every candidate with warm calls has a cost for each operation', () => {
  expect([...new Set(all.map(({ candidate }) => candidate))]).toEqual([
    ...['ours', 'floor', 'hono', 'express'],
  ]);
  expect(all).toHaveLength(8);
});

test('the total is the sum of the services', () => {
  for (const { cost } of all) {
    const { total, gateway, lambda, dynamodb, transfer } = cost;
    expect(total).toBeCloseTo(gateway + lambda + dynamodb + transfer, 9);
    expect(gateway).toBeCloseTo(3.5, 9);
    expect(transfer).toBeCloseTo((1024 / 1024 ** 3) * 0.09 * 1_000_000, 9);
  }
});

describe('DynamoDB', () => {
  test('bills a read of the client for one getConfig in twenty, or for each one without a cache', () => {
    expect(costOf('ours', 'get-config')?.dynamodb).toBeCloseTo(0.125 / 20, 9);
    expect(costOf('floor', 'get-config')?.dynamodb).toBeCloseTo(0.125, 9);
  });

  test('bills one write for each promo code, and no read of the client for the floor', () => {
    expect(costOf('ours', 'apply-promo-code')?.dynamodb).toBeCloseTo(0.625 + 0.125 / 20, 9);
    expect(costOf('floor', 'apply-promo-code')?.dynamodb).toBeCloseTo(0.625, 9);
  });
});

test('Lambda bills whole milliseconds of stretched CPU time, and a cold start for one call in 200', () => {
  const stretch = 1769 / DEFAULT_MEMORY_MEGABYTES;
  const warm = Math.ceil(1 + 0.5 * (stretch - 1));
  const cold = Math.ceil(60 + 40 * stretch);
  const seconds = (warm + (cold - warm) / 200) / 1000;
  const perCall =
    PRICES.lambdaRequest +
    seconds * (DEFAULT_MEMORY_MEGABYTES / 1024) * PRICES.lambdaGigabyteSecond;
  expect(costOf('ours', 'get-config')?.lambda).toBeCloseTo(perCall * 1_000_000, 9);
});
