import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SettingsError } from '../../../../lib/settings/settings.ts';
import { readStage } from '../../../../lib/settings/stage-file.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const stages = await temporaryFolder();
const files = {
  'live.json': '{ "alarmRecipients": "none", "configCacheSeconds": 30 }',
  'trial.json': '{ "retainData": false, "configCacheSeconds": 30 }',
  'broken.json': '{',
  'list.json': '[]',
  'nothing.json': 'null',
  'text.json': '"live"',
  'schema.json': '{}',
  'notes.txt': '',
};
for (const [name, text] of Object.entries(files)) await writeFile(join(stages, name), text);

test('without context the stage is dev, whose data is deleted with its stack', () => {
  expect(readStage({})).toMatchObject({ name: 'dev', settings: { retainData: false } });
});

test('a stage has the settings of its file, and keeps its data under any name', () => {
  const settings = { retainData: true, configCacheSeconds: 30 };
  expect(readStage({ stage: 'live', stages })).toMatchObject({ name: 'live', settings });
});

test.each(['dev', 'prod'])('the file of the stage %s names the schema beside it', (stage) => {
  expect(readStage({ stage }).settings.$schema).toBe('./schema.json');
});

test.each(['schema', 'test-invoke-stage', 'Prod', '../prod', '1st', 'a_b', 'a'.repeat(21), '', 1])(
  'no stage can be called %j',
  (stage) => {
    expect(() => readStage({ stage, stages })).toThrow(SettingsError);
    // Without a list of stages: none of that name can be created.
    expect(() => readStage({ stage, stages })).not.toThrow('trial');
  },
);

test.each(['a', 'a'.repeat(20), 'eu-central-1', 'schemas', 'test-invoke-stage-2'])(
  'a stage may be called %s, and those that exist are listed until it has a file',
  (stage) => {
    expect(() => readStage({ stage, stages })).toThrow(SettingsError);
    expect(() => readStage({ stage, stages })).toThrow('broken, list, live, nothing, text, trial.');
  },
);

test.each(['broken', 'list', 'nothing', 'text'])(
  'a file that is not a JSON object is refused: %s',
  (stage) => {
    expect(() => readStage({ stage, stages })).toThrow(SettingsError);
    expect(() => readStage({ stage, stages })).toThrow(`stages/${stage}.json`);
  },
);

test('an override changes one setting of a stage that does not keep its data', () => {
  const context = {
    stage: 'trial',
    stages,
    'set.configCacheSeconds': '1',
    'set.userIdClaim': 'none',
  };
  expect(readStage(context).settings).toMatchObject({ configCacheSeconds: 1, userIdClaim: 'none' });
  expect(readStage({ stage: 'trial', stages }).settings.configCacheSeconds).toBe(30);
});

test.each([
  // The next deployment without it would undo it.
  ['an override of a stage that keeps its data', { stage: 'live', 'set.configCacheSeconds': '1' }],
  [
    'an override by which it would keep its data',
    { stage: 'trial', 'set.retainData': 'true', 'set.alarmRecipients': 'none' },
  ],
  [
    'an override by which it would no longer keep its data',
    { stage: 'live', 'set.retainData': 'false' },
  ],
  [
    'an override beside one that says that it does not keep its data',
    { stage: 'prod', stages: undefined, 'set.retainData': 'false', 'set.configCacheSeconds': '1' },
  ],
  ['an override of an unknown setting', { stage: 'trial', 'set.configCacheSecond': '1' }],
  ['a setting beside the overrides', { 'set.configCacheSeconds': 10, configCacheSeconds: 10 }],
])('%s is refused', (_, context) => {
  expect(() => readStage({ stages, stage: 'trial', ...context })).toThrow(SettingsError);
  expect(() => readStage({ stages, stage: 'trial', ...context })).toThrow(/configCache|retainData/);
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

test('a stage that keeps its data has no other file in another folder', async () => {
  const others = join(stages, 'others');
  await mkdir(others);
  for (const name of ['dev', 'prod']) {
    await writeFile(join(others, `${name}.json`), '{ "retainData": false, "userIdClaim": "none" }');
  }
  expect(readStage({ stage: 'dev', stages: others }).settings.userIdClaim).toBe('none');
  expect(() => readStage({ stage: 'prod', stages: others })).toThrow(SettingsError);
});
