import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SettingsError } from '../../../lib/settings.ts';
import { readStage } from '../../../lib/stage.ts';

let stages: string;
beforeAll(async () => {
  stages = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
  const files = {
    live: '{ "$schema": "./schema.json", "alarmRecipients": "none", "configCacheSeconds": 30 }',
    trial: '{ "retainData": false, "configCacheSeconds": 30 }',
    broken: '{',
    list: '[]',
    schema: '{}',
  };
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(stages, `${name}.json`), text);
  }
});
afterAll(() => rm(stages, { recursive: true }));

test('without context the stage is dev, whose data is deleted with its stack', () => {
  const { name, settings } = readStage({});
  expect(name).toBe('dev');
  expect(settings.retainData).toBe(false);
});

test('prod keeps its data, and can be deployed into a new account', () => {
  const { name, settings } = readStage({ stage: 'prod' });
  expect(name).toBe('prod');
  expect(settings).toMatchObject({ retainData: true, alarmRecipients: 'none' });
});

test('a stage has the settings of its file, and keeps its data under any name', () => {
  const { name, settings } = readStage({ stage: 'live', stages });
  expect(name).toBe('live');
  expect(settings).toMatchObject({ retainData: true, configCacheSeconds: 30 });
});

test.each([
  [{ stage: 'live' }, 'There is no stage live. The stages are dev, prod. To create it, copy'],
  [{ stage: 'schema' }, 'and not be test-invoke-stage or schema; it is "schema"'],
  [{ stage: 'test-invoke-stage' }, 'and not be test-invoke-stage or schema'],
  [{ stage: 'Prod' }, 'The stage must have 1 to 20 lower-case letters'],
  [{ stage: '../prod' }, 'The stage must have'],
  [{ stage: '' }, 'The stage must have'],
  [{ stage: 1 }, 'The stage must have'],
])('%j is refused', (context, message) => {
  expect(() => readStage(context)).toThrow(SettingsError);
  expect(() => readStage(context)).toThrow(message);
});

test('a file that is not a JSON object is refused', () => {
  expect(() => readStage({ stage: 'broken', stages })).toThrow('broken.json is not JSON: ');
  expect(() => readStage({ stage: 'list', stages })).toThrow('must contain a JSON object');
});

test('an override changes one setting', () => {
  const context = { stage: 'trial', stages, 'set.configCacheSeconds': '1', 'set.userIdClaim': 'x' };
  expect(readStage(context).settings).toMatchObject({ configCacheSeconds: 1, userIdClaim: 'x' });
  expect(readStage({ stage: 'trial', stages }).settings.configCacheSeconds).toBe(30);
});

test('a stage that keeps its data refuses overrides, because the next deployment would undo them', () => {
  const context = { stage: 'live', stages, 'set.configCacheSeconds': '1' };
  expect(() => readStage(context)).toThrow('configCacheSeconds cannot be overridden');
  expect(() =>
    readStage({ stage: 'trial', stages, 'set.retainData': 'true', 'set.alarmRecipients': 'none' }),
  ).toThrow('cannot be overridden');
});

test('an override of an unknown setting is refused', () => {
  const context = { stage: 'trial', stages, 'set.configCacheSecond': '1' };
  expect(() => readStage(context)).toThrow('There is no setting "configCacheSecond"');
});

test('a setting in the CDK context is refused, with the file that it belongs in', () => {
  const known = { stage: 'dev', 'set.configCacheSeconds': 10 };
  for (const context of [
    { alarmTopicArn: 'x' },
    { alarmTopicArn: 'x', ...known },
    { ...known, alarmTopicArn: 'x' },
  ]) {
    expect(() => readStage(context)).toThrow(
      'There is no context alarmTopicArn: settings are in stages/<stage>.json',
    );
  }
});

test("the CDK's own context is ignored", () => {
  const context = {
    '@aws-cdk/core:checkSecretUsage': true,
    'aws:cdk:bundling-stacks': ['**'],
    'availability-zones:account=1:region=eu-central-1': [],
    'acknowledged-issue-numbers': [1],
  };
  expect(readStage(context)).toEqual(readStage({}));
});
