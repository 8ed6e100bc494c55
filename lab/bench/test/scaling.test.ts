import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { measuredCosts, scaleAt, scalingTables } from '../scaling/scaling.ts';

const text = (file: string) => readFile(new URL(`../../../${file}`, import.meta.url), 'utf8');

test('docs/scaling.md has the tables that npm run scaling computes from the measured costs', async () => {
  const document = await text('docs/scaling.md');
  const costs = measuredCosts(await text('docs/performance.md'));
  expect(document.split(/<!-- computed -->\n\n|\n\n<!-- end -->/)[1]).toBe(scalingTables(costs));
});

test('load and cost follow from the number of calls and the prices', async () => {
  const dollar = { lambda: 1, dynamodb: 1, transfer: 1 };
  const unit = { getConfig: dollar, applyPromoCode: { ...dollar, lambda: 11 } };
  const scales = [1, 86_400_000, 86_400_001, 1e9, 30e9].map((calls) => scaleAt(calls, unit));
  await expect(JSON.stringify(scales, null, 1)).toMatchFileSnapshot('golden/scales.json');
});
