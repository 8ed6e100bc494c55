/** `npm run dashboard`: draws the dashboard of a local run into `docs/dashboard.svg`. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { addCustomerDataApiStack } from '../../lib/customer-data-api-stack.ts';
import { widgetsOf } from './body.ts';
import { draw } from './draw.ts';
import { localRun } from './local-run.ts';

const run = await localRun();
const outdir = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
try {
  const app = new App({ outdir, context: { 'aws:cdk:bundling-stacks': [], stage: 'dev' } });
  const template = Template.fromStack(addCustomerDataApiStack(app));
  const widgets = widgetsOf(template.findResources('AWS::CloudWatch::Dashboard'));
  const picture = new URL('../../docs/dashboard.svg', import.meta.url);
  await writeFile(picture, draw(widgets, run));
  process.stdout.write(`${run.datapoints.length} values in docs/dashboard.svg\n`);
} finally {
  await rm(outdir, { recursive: true });
}
