import { hash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
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
const computed = new Map<string, unknown>();

/**
 * Computes a JSON value once per run. Another file that asks for the same key gets the same value,
 * also in another worker. Nobody may change it.
 */
export function oncePerRun<T>(key: string, compute: () => T): T {
  const known = computed.get(key) as T | undefined;
  if (known !== undefined) return known;
  const digest = hash('sha256', key);
  const file = join(dirname(inject('cloudAssembly')), `${digest}.json`);
  if (!existsSync(file)) {
    const unfinished = join(folder, digest);
    writeFileSync(unfinished, JSON.stringify(compute()));
    renameSync(unfinished, file);
  }
  const value: T = JSON.parse(readFileSync(file, 'utf8'));
  computed.set(key, value);
  return value;
}

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

/** The template of that stack. */
export function templateFor(settings: Readonly<Record<string, unknown>> = {}): Template {
  const key = `test ${JSON.stringify(settings)}`;
  return Template.fromJSON(oncePerRun(key, () => Template.fromStack(stackFor(settings)).toJSON()));
}
