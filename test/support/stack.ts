import { mkdtempSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { inject } from 'vitest';
import { CustomerDataApiStack } from '../../lib/customer-data-api-stack.ts';
import { readSettings } from '../../lib/settings/settings.ts';

// By default each app writes into a temporary folder of its own, which nobody removes. This one is
// removed with the run.
const folder = mkdtempSync(join(dirname(inject('cloudAssembly')), 'apps-'));
// The flags of the CDK change what it makes.
const { context: FLAGS } = JSON.parse(
  readFileSync(new URL('../../cdk.json', import.meta.url), 'utf8'),
);
let apps = 0;
const templates = new Map<string, Template>();

/** An app without bundles, which do not depend on settings. */
export function appFor(context: Readonly<Record<string, unknown>> = {}): App {
  apps += 1;
  return new App({
    outdir: join(folder, String(apps)),
    context: {
      ...FLAGS,
      // Would print warnings.
      '@aws-cdk/core:annotationsInValidationReport': false,
      'aws:cdk:bundling-stacks': [],
      // They name the line that made a resource, for people, and take an eighth of the time.
      'aws:cdk:disable-creation-stack-traces': true,
      ...context,
    },
    // Would warn only. Its engine takes seconds in each worker, and `cdk synth` refuses what it
    // finds.
    builtinCloudFormationValidation: false,
    treeMetadata: false,
  });
}

/**
 * The stack of the stage `test` with some settings. Unless they say otherwise, it does not retain
 * its data.
 */
export function stackFor(settings: Readonly<Record<string, unknown>> = {}): CustomerDataApiStack {
  const stage = { name: 'test', settings: readSettings({ retainData: false, ...settings }) };
  return new CustomerDataApiStack(appFor(), 'CustomerDataApi-test', stage);
}

/** The template of that stack. Files that ask for the same one, in the same worker, share it. */
export function templateFor(settings: Readonly<Record<string, unknown>> = {}): Template {
  const key = JSON.stringify(settings);
  const template = templates.get(key) ?? Template.fromStack(stackFor(settings));
  templates.set(key, template);
  return template;
}
