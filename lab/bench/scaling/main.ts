import { readFile, writeFile } from 'node:fs/promises';
import { monitoringOfStages } from './monitoring.ts';
import { measuredCosts, scalingTables } from './scaling.ts';

/*
 * Computes the tables of docs/scaling.md from the report in docs/performance.md and the templates
 * of the stages, and writes them.
 */

const REPORT = new URL('../../../docs/performance.md', import.meta.url);
const DOCUMENT = new URL('../../../docs/scaling.md', import.meta.url);

const costs = measuredCosts(await readFile(REPORT, 'utf8'));
const tables = scalingTables(costs, monitoringOfStages());
const text = await readFile(DOCUMENT, 'utf8');
const written = text.replace(
  /(?<=<!-- computed -->\n).*(?=<!-- end -->)/s,
  () => `\n${tables}\n\n`,
);
await writeFile(DOCUMENT, written);
