import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addCustomerDataApiStack } from '../../lib/customer-data-api-stack.ts';
import { SettingsError } from '../../lib/settings/settings.ts';
import { run } from '../support/processes.ts';
import { appFor } from '../support/stack.ts';
import { goldenTemplate } from './golden-template.ts';
import { PLACE, variant } from './variants.ts';

/* Mistakes that people make with stages and flags: each is refused, or changes nothing. */

let stages: string;
beforeAll(async () => {
  stages = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
  await copyFile(new URL('../../stages/prod.json', import.meta.url), join(stages, 'shop.json'));
  await writeFile(join(stages, 'empty.json'), '{}');
});
afterAll(() => rm(stages, { recursive: true }));

const stackOf = (context: Record<string, unknown>) => addCustomerDataApiStack(appFor(context));

test('a stage without a file is refused, so that the CDK does not go on with an app without stacks', async () => {
  expect(() => stackOf({ stage: 'live' })).toThrow(SettingsError);
  const context = { CDK_CONTEXT_JSON: JSON.stringify({ stage: 'live' }) };
  expect(await run('app', [], context)).toEqual({
    ...{ code: 1, stdout: '' },
    // One line that names the file to create, without a stack trace.
    stderr: expect.stringMatching(/^[^\n]*stages\/live\.json[^\n]*\n$/),
  });
});

test('a stage whose file is a copy of that of prod is the same as prod', () => {
  const shop = stackOf({ stage: 'shop', stages });
  expect(shop.stackName).toBe('CustomerDataApi-shop');
  expect(goldenTemplate(shop)).toEqual(goldenTemplate(stackOf({ stage: 'prod' })));
});

test('a stage with an empty file keeps its data, and must say who receives alarms', () => {
  expect(() => stackOf({ stage: 'empty', stages })).toThrow('alarmRecipients');
});

test('a forgotten stage does not touch prod: without one, the stack is that of dev', () => {
  expect(stackOf({}).stackName).toBe('CustomerDataApi-dev');
});

test('a stage that names its account and region is deployed nowhere else, whatever the profile', () => {
  // The CDK compares them with those of the credentials.
  expect(variant(PLACE)).toMatchObject(PLACE);
});

test.each(['userPoolId', 'userIdClaim', 'configCacheSeconds', 'alarmTopicArn'])(
  'a flag cannot be forgotten: %s is refused as a flag, and so is an override of prod',
  (flag) => {
    for (const key of [flag, `set.${flag}`]) {
      expect(() => stackOf({ stage: 'prod', [key]: '1' })).toThrow(SettingsError);
    }
  },
);
