import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { monitoringDollars, monitoringOfStages } from '../results/monitoring.ts';

test('docs/performance.md has what the monitoring of both stages costs', async () => {
  const document = await readFile(new URL('../../../docs/performance.md', import.meta.url), 'utf8');
  const { prod, dev } = monitoringOfStages();
  const ofDev = monitoringDollars(dev);
  const rows = Object.entries(monitoringDollars(prod)).map(
    ([name, dollars]) => `| ${[name, bold(name, dollars), bold(name, ofDev[name])].join(' | ')} |`,
  );
  expect(document).toContain(['| --- | ---: | ---: |', ...rows].join('\n'));
});

/** Writes dollars with two significant digits, in bold where the name of its row is. */
function bold(name: string, dollars = 0): string {
  const text = dollars.toLocaleString('en-US', { maximumSignificantDigits: 2 });
  return name.startsWith('**') ? `**${text}**` : text;
}
