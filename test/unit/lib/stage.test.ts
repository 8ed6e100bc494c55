import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
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
    nothing: 'null',
    text: '"live"',
    schema: '{}',
  };
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(stages, `${name}.json`), text);
  }
  await writeFile(join(stages, 'notes.txt'), '');
});
afterAll(() => rm(stages, { recursive: true }));

test('without context the stage is dev, whose data is deleted with its stack', () => {
  const { name, settings } = readStage({});
  expect(name).toBe('dev');
  expect(settings.retainData).toBe(false);
});

test('prod keeps its data, logs each request, separates tenants, and can be deployed into a new account', () => {
  const { name, settings } = readStage({ stage: 'prod' });
  expect(name).toBe('prod');
  expect(settings).toMatchObject({
    ...{ retainData: true, alarmRecipients: 'none', requireUserPoolClientIds: true },
    // A new account has no role with which API Gateway writes logs.
    ...{ accessLogs: true, gatewayLogRole: 'new' },
  });
});

test.each(['dev', 'prod'])('the file of the stage %s names the schema beside it', (stage) => {
  expect(readStage({ stage }).settings.$schema).toBe('./schema.json');
});

test('a stage has the settings of its file, and keeps its data under any name', () => {
  const { name, settings } = readStage({ stage: 'live', stages });
  expect(name).toBe('live');
  expect(settings).toMatchObject({ retainData: true, configCacheSeconds: 30 });
});

test.each([
  [
    { stage: 'live' },
    'There is no stage live. The stages are dev, prod. To create it, copy stages/prod.json to stages/live.json and adapt the copy.',
  ],
  [{ stage: 'schema' }, 'and not be test-invoke-stage or schema; it is "schema"'],
  [{ stage: 'test-invoke-stage' }, 'and not be test-invoke-stage or schema'],
  [{ stage: 'Prod' }, 'The stage must have 1 to 20 lower-case letters'],
  [{ stage: '../prod' }, 'The stage must have'],
  [{ stage: '1st' }, 'letters, digits and hyphens, start with a letter'],
  [{ stage: 'a_b' }, 'The stage must have'],
  [{ stage: 'a'.repeat(21) }, 'The stage must have 1 to 20'],
  [{ stage: '' }, 'The stage must have'],
  [{ stage: 1 }, 'The stage must have'],
])('%j is refused', (context, message) => {
  expect(() => readStage(context)).toThrow(SettingsError);
  expect(() => readStage(context)).toThrow(message);
});

test.each(['a', 'a'.repeat(20), 'eu-central-1', 'schemas', 'test-invoke-stage-2'])(
  'a stage may have the name %s, and a message lists those that have a file',
  (stage) => {
    expect(() => readStage({ stage, stages })).toThrow(
      `There is no stage ${stage}. The stages are broken, list, live, nothing, text, trial. `,
    );
  },
);

test.each([
  ['broken', 'is not JSON: '],
  ['list', 'must contain a JSON object.'],
  ['nothing', 'must contain a JSON object.'],
  ['text', 'must contain a JSON object.'],
])('a file that is not a JSON object is refused: %s', (stage, message) => {
  expect(() => readStage({ stage, stages })).toThrow(`stages/${stage}.json ${message}`);
});

test('an override changes one setting', () => {
  const context = { stage: 'trial', stages, 'set.configCacheSeconds': '1', 'set.userIdClaim': 'x' };
  expect(readStage(context).settings).toMatchObject({ configCacheSeconds: 1, userIdClaim: 'x' });
  expect(readStage({ stage: 'trial', stages }).settings.configCacheSeconds).toBe(30);
});

test('a stage that keeps its data refuses overrides, because the next deployment would undo them', () => {
  const context = { stage: 'live', stages, 'set.configCacheSeconds': '1' };
  expect(() => readStage(context)).toThrow(
    /^The stage live retains its data, so configCacheSeconds cannot be overridden: .* Write it into stages\/live\.json\.$/,
  );
  expect(() =>
    readStage({ stage: 'trial', stages, 'set.retainData': 'true', 'set.alarmRecipients': 'none' }),
  ).toThrow('cannot be overridden');
});

test('an override cannot say that a stage does not keep its data, whether its file says so or not', () => {
  for (const context of [{ stage: 'prod' }, { stage: 'live', stages }]) {
    expect(() =>
      readStage({ ...context, 'set.retainData': 'false', 'set.configCacheSeconds': '1' }),
    ).toThrow(`The stage ${context.stage} retains its data, so retainData cannot be overridden`);
  }
});

test('a stage that keeps its data has no other file in another folder', async () => {
  const others = join(stages, 'others');
  await mkdir(others);
  for (const name of ['dev', 'prod']) {
    await writeFile(join(others, `${name}.json`), '{ "retainData": false, "userIdClaim": "x" }');
  }
  expect(readStage({ stage: 'dev', stages: others }).settings.userIdClaim).toBe('x');
  expect(() => readStage({ stage: 'prod', stages: others })).toThrow(
    'The stage prod retains its data, so its file in stages/ cannot be replaced',
  );
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
      'There is no context alarmTopicArn: settings are in stages/<stage>.json. For an experiment, use -c set.alarmTopicArn=….',
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
