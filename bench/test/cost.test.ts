import { describe, expect, test } from 'vitest';
import { DEFAULT_MEMORY_MEGABYTES } from '../../lib/settings/capacity.ts';
import { costs } from '../results/cost.ts';
import { PRICES } from '../results/prices.ts';
import { figuresFixture } from './figures-fixture.ts';

const all = costs(figuresFixture());

function costOf(name: string, operation: string) {
  return all.find((one) => one.candidate === name && one.operation === operation)?.cost;
}

test('Lambda bills a call in twenty as one that reads the client, and each one without a cache', () => {
  const figures = figuresFixture();
  const slowReads = costs({
    ...figures,
    warm: figures.warm.map((one) =>
      one.call.endsWith(', read') ? { ...one, measured: { ...one.measured, p50: [21_000] } } : one,
    ),
  });
  /** How many milliseconds more a call takes than if reads were as fast as other calls. */
  const added = (name: string, operation: string) => {
    const slow = slowReads.find((one) => one.candidate === name && one.operation === operation);
    const dollars = (slow?.cost.lambda ?? 0) - (costOf(name, operation)?.lambda ?? 0);
    const perMillisecond = (DEFAULT_MEMORY_MEGABYTES / 1024) * PRICES.lambdaGigabyteSecond * 1000;
    return dollars / perMillisecond;
  };
  const warmShare = 199 / 200;
  expect(added('ours', 'get-config')).toBeCloseTo((20 / 20) * warmShare, 9);
  expect(added('ours', 'apply-promo-code')).toBeCloseTo((20 / 20) * warmShare, 9);
  expect(added('floor', 'apply-promo-code')).toBeCloseTo(0, 9);
});

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
