import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SettingsError } from '../../../../lib/settings/settings.ts';
import { readStage } from '../../../../lib/settings/stage-file.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const stages = await temporaryFolder();
const files = {
  'live.json': '{ "account": "123456789012", "alarmRecipients": "none", "configCacheSeconds": 30 }',
  'nowhere.json': '{ "alarmRecipients": "none" }',
  'trial.json': '{ "retainData": false, "configCacheSeconds": 30 }',
  'broken.json': '{',
  'nothing.json': 'null',
  'schema.json': '{}',
  'comment.json': '{ "retainData": false // an experiment\n}',
  'marked.json': '\uFEFF{ "retainData": false, "configCacheSeconds": 31 }',
  'twice.json': '{\n  "retainData": true,\n\t"retainData": false\n}',
  'escaped.json': '{ "retainData": true,\n"retain\\u0044ata": false }',
  'nested.json':
    '{ "retainData": false, "throttling": { "getConfig": { "burst": 1,\n    "requestsPerSecond": 2, "burst": 3 } } }',
  'cases.json':
    '{ "retainData": false, "requireUserPoolClientIds": true, "tags": { "a": "b", "b": "a" }, "appClients": ["tags", "Tags"] }',
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

test.each(['a'.repeat(20), 'eu-central-1', 'schemas', 'test-invoke-stage-2'])(
  'a stage may be called %s, and those that exist are listed until it has a file',
  (stage) => {
    expect(() => readStage({ stage, stages })).toThrow(SettingsError);
    expect(() => readStage({ stage, stages })).toThrow('broken, cases, comment, escaped, live,');
  },
);

test.each(['broken', 'comment', 'nothing'])(
  'a file that is not a JSON object is refused: %s',
  (stage) => {
    expect(() => readStage({ stage, stages })).toThrow(SettingsError);
    expect(() => readStage({ stage, stages })).toThrow(join(stages, `${stage}.json`));
  },
);

test('a file may begin with a byte order mark', () => {
  expect(readStage({ stage: 'marked', stages }).settings.configCacheSeconds).toBe(31);
});

test.each([
  ['twice', 'line 3, column 2'],
  ['escaped', 'line 2, column 1'],
  ['nested', 'line 2, column 29'],
])('a name that is twice in an object is refused with its place: %s', (stage, place) => {
  expect(() => readStage({ stage, stages })).toThrow(SettingsError);
  expect(() => readStage({ stage, stages })).toThrow(place);
});

test('different names and values are none that is twice', () => {
  expect(readStage({ stage: 'cases', stages }).settings.appClients).toEqual(['tags', 'Tags']);
});

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

test("a stage of one's own has any name, and the account in which it keeps its data", async () => {
  const others = join(stages, 'others');
  await mkdir(others);
  await writeFile(join(others, 'prod.json'), '{ "retainData": false, "userIdClaim": "none" }');
  expect(readStage({ stage: 'prod', stages: others }).settings.userIdClaim).toBe('none');
  expect(() => readStage({ stage: 'nowhere', stages })).toThrow(SettingsError);
  expect(() => readStage({ stage: 'nowhere', stages })).toThrow(join(stages, 'nowhere.json'));
});

test('a folder that does not exist is named', () => {
  expect(() => readStage({ stages: join(stages, 'none') })).toThrow(SettingsError);
  expect(() => readStage({ stages: join(stages, 'none') })).toThrow('no folder');
});
