import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { monitoringOfStages } from '../scaling/monitoring.ts';
import { measuredCosts, scaleAt, scalingTables } from '../scaling/scaling.ts';

const text = (file: string) => readFile(new URL(`../../../${file}`, import.meta.url), 'utf8');

test('docs/scaling.md has the tables that npm run scaling computes from measured costs and templates', async () => {
  const document = await text('docs/scaling.md');
  const costs = measuredCosts(await text('docs/performance.md'));
  expect(document.split(/<!-- computed -->\n\n|\n\n<!-- end -->/)[1]).toBe(
    scalingTables(costs, monitoringOfStages()),
  );
});

test('load and cost follow from the number of calls and the prices', async () => {
  const dollar = { lambda: 1, dynamodb: 1, transfer: 1 };
  const unit = { getConfig: dollar, applyPromoCode: { ...dollar, lambda: 11 } };
  const monitoring = { alarmMetrics: 40, compositeAlarms: 2, dashboards: 1, customMetrics: 10 };
  const scales = [1, 86_400_000, 86_400_001, 1e9, 30e9].map((calls) =>
    scaleAt(calls, unit, monitoring),
  );
  await expect(JSON.stringify(scales, null, 1)).toMatchFileSnapshot('golden/scales.json');
});
