import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { addCustomerDataApiStack } from '../lib/customer-data-api-stack.ts';
import { type Resources, statefulResources } from '../test/support/stateful-resources.ts';

/*
 * Records stage prod's stateful resources for the version in package.json, to compare later
 * templates with. Part of a release.
 */
const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));
const outdir = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
try {
  const app = new App({ outdir, context: { stage: 'prod', 'aws:cdk:bundling-stacks': [] } });
  const template = Template.fromStack(addCustomerDataApiStack(app)).toJSON() as Resources;
  const file = new URL(`../test/infrastructure/releases/${version}.json`, import.meta.url);
  await writeFile(file, `${JSON.stringify(statefulResources(template), null, 2)}\n`);
} finally {
  await rm(outdir, { recursive: true });
}
