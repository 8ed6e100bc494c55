/** `npm run dashboard`: draws the dashboard of a local run into `docs/dashboard.svg`. */
import { writeFile } from 'node:fs/promises';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { addCustomerDataApiStack } from '../../lib/customer-data-api-stack.ts';
import { widgetsOf } from '../../test/support/dashboard-body.ts';
import { newFolder } from '../../test/support/new-folder.ts';
import { draw } from './draw.ts';
import { localRun } from './local-run.ts';

const run = await localRun();
await using folder = await newFolder();
const context = { 'aws:cdk:bundling-stacks': [], stage: 'dev' };
const app = new App({ outdir: folder.path, context });
const template = Template.fromStack(addCustomerDataApiStack(app));
const widgets = widgetsOf(template.findResources('AWS::CloudWatch::Dashboard'));
await writeFile(new URL('../../docs/dashboard.svg', import.meta.url), draw(widgets, run));
process.stdout.write(`${run.datapoints.length} values in docs/dashboard.svg\n`);
