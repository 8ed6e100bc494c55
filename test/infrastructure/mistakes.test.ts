import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Template } from 'aws-cdk-lib/assertions';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addCustomerDataApiStack } from '../../lib/customer-data-api-stack.ts';
import { SettingsError } from '../../lib/settings.ts';
import { run } from '../support/processes.ts';
import { appFor } from '../support/stack.ts';

/* Mistakes that people make with stages and flags: each is refused, or changes nothing. */

const PROD = new URL('../../stages/prod.json', import.meta.url);

let stages: string;
beforeAll(async () => {
  stages = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
  await copyFile(PROD, join(stages, 'live.json'));
  await writeFile(join(stages, 'empty.json'), '{}');
});
afterAll(() => rm(stages, { recursive: true }));

const stackOf = (context: Record<string, unknown>) => addCustomerDataApiStack(appFor(context));

describe('a stage called live', () => {
  test('is refused without a file, with a message that says how to create one', () => {
    expect(() => stackOf({ stage: 'live' })).toThrow(SettingsError);
    expect(() => stackOf({ stage: 'live' })).toThrow('copy stages/prod.json to stages/live.json');
  });

  test('ends the app without a file, so that the CDK does not go on with an app without stacks', async () => {
    const context = { CDK_CONTEXT_JSON: JSON.stringify({ stage: 'live' }) };
    expect(await run('app', [], context)).toEqual({
      ...{ code: 1, stdout: '' },
      stderr: expect.stringMatching(/^There is no stage live\. [^\n]*\n$/),
    });
  });

  test('is protected as prod is, if its file is a copy', () => {
    const [live, prod] = [stackOf({ stage: 'live', stages }), stackOf({ stage: 'prod' })];
    expect([live.stackName, live.terminationProtection]).toEqual(['CustomerDataApi-live', true]);
    const protections = (template: Template) =>
      Object.values<{ Type: string; DeletionPolicy?: string }>(template.toJSON().Resources)
        .map(({ Type, DeletionPolicy }) => `${Type} ${DeletionPolicy}`)
        .sort();
    const template = Template.fromStack(live);
    expect(protections(template)).toEqual(protections(Template.fromStack(prod)));
    template.resourceCountIs('AWS::WAFv2::WebACL', 1);
    template.allResourcesProperties('AWS::DynamoDB::GlobalTable', {
      Replicas: [{ DeletionProtectionEnabled: true }],
    });
  });

  test('with an empty file keeps its data too, and must say who receives alarms', () => {
    expect(() => stackOf({ stage: 'empty', stages })).toThrow(
      'alarmRecipients is required with retainData',
    );
  });
});

describe('a forgotten flag', () => {
  test('does not touch prod: without a stage, the stack is that of dev', () => {
    expect(stackOf({}).stackName).toBe('CustomerDataApi-dev');
  });

  test.each([
    'userPoolId',
    'userPoolClientIds',
    'userIdClaim',
    'alarmTopicArn',
    'requestDateWindowSeconds',
    'configCacheSeconds',
    'promoEventRetentionDays',
  ])('cannot happen: %s is refused as a flag', (flag) => {
    expect(() => stackOf({ stage: 'prod', [flag]: '1' })).toThrow(
      `There is no context ${flag}: settings are in stages/<stage>.json`,
    );
    expect(() => stackOf({ stage: 'prod', [`set.${flag}`]: '1' })).toThrow(SettingsError);
  });

  test('cannot make a difference: prod is the same stack whoever synthesizes it', () => {
    const [one, other] = [stackOf({ stage: 'prod' }), stackOf({ stage: 'prod' })];
    expect(Template.fromStack(one).toJSON()).toEqual(Template.fromStack(other).toJSON());
  });
});
