import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { afterAll } from 'vitest';
import { CustomerDataApiStack } from '../../lib/customer-data-api-stack.ts';
import { readSettings } from '../../lib/settings.ts';

// By default each app writes into a temporary folder of its own, which nobody removes.
const folder = mkdtempSync(join(tmpdir(), 'customer-data-api-'));
afterAll(() => rmSync(folder, { recursive: true }));
let apps = 0;

/** An app without bundles, which do not depend on settings. Its cloud assembly is removed after the tests of the file. */
export function appFor(context: Readonly<Record<string, unknown>> = {}): App {
  apps += 1;
  return new App({
    outdir: join(folder, String(apps)),
    context: { 'aws:cdk:bundling-stacks': [], ...context },
  });
}

/** The stack of the stage `test` with some settings. Unless they say otherwise, it does not retain its data. */
export function stackFor(settings: Readonly<Record<string, unknown>> = {}): CustomerDataApiStack {
  const stage = { name: 'test', settings: readSettings({ retainData: false, ...settings }) };
  return new CustomerDataApiStack(appFor(), 'CustomerDataApi-test', stage);
}

/** The template of that stack. */
export function templateFor(settings: Readonly<Record<string, unknown>> = {}): Template {
  return Template.fromStack(stackFor(settings));
}
