import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readSettings, SettingsError } from '../../../lib/settings.ts';

test('without context a deployment has the defaults', () => {
  expect(readSettings({})).toEqual({
    stage: 'dev',
    userIdClaim: 'sub',
    requestDateWindowSeconds: 86_400,
    configCacheSeconds: 10,
  });
});

test('settings of the command line are texts, those of cdk.json have their types', () => {
  const expected = {
    stage: 'prod',
    userPoolId: 'eu-central-1_AbCdEfGhI',
    userPoolClientIds: ['1abc', '2def'],
    userIdClaim: 'custom:userId',
    requestDateWindowSeconds: 3600,
    configCacheSeconds: 0,
    promoEventRetentionDays: 365,
    alarmTopicArn: 'arn:aws:sns:eu-central-1:123456789012:alarms',
  };
  expect(readSettings(expected)).toEqual(expected);
  expect(
    readSettings({
      ...expected,
      userPoolClientIds: '1abc, 2def',
      requestDateWindowSeconds: '3600',
      configCacheSeconds: '0',
      promoEventRetentionDays: '365',
    }),
  ).toEqual(expected);
});

test("the CDK's own context is none of ours", () => {
  const context = {
    '@aws-cdk/core:checkSecretUsage': true,
    'aws:cdk:bundling-stacks': ['**'],
    'availability-zones:account=1:region=eu-central-1': [],
    'acknowledged-issue-numbers': [1],
  };
  expect(readSettings(context)).toEqual(readSettings({}));
});

describe('a wrong setting is named, with what would be right', () => {
  test.each<[Record<string, unknown>, string]>([
    [{ stage: 'Prod' }, 'The setting stage must be 1 to 20 lower-case letters'],
    [{ stage: '' }, 'The setting stage must be'],
    [{ stage: 'test-invoke-stage' }, 'and not be test-invoke-stage'],
    [{ stage: 1 }, 'The setting stage must be'],
    [{ userPoolId: 'pool', userPoolClientIds: 'a' }, 'The setting userPoolId must be the id'],
    [{ userPoolId: 'eu-central-1_A' }, 'userPoolId and userPoolClientIds belong together'],
    [{ userPoolClientIds: 'a' }, 'userPoolId and userPoolClientIds belong together'],
    [
      { userPoolId: 'eu-central-1_A', userPoolClientIds: 'a b' },
      'The setting userPoolClientIds must be app client ids',
    ],
    [
      { userPoolId: 'eu-central-1_A', userPoolClientIds: '' },
      'The setting userPoolClientIds must be app client ids',
    ],
    [{ userIdClaim: '' }, 'The setting userIdClaim must be the name of a claim'],
    [{ requestDateWindowSeconds: '1h' }, 'must be a whole number from 60 to 31536000; it is "1h"'],
    [{ requestDateWindowSeconds: 59 }, 'must be a whole number from 60 to 31536000; it is 59'],
    [{ configCacheSeconds: -1 }, 'must be a whole number from 0 to 900; it is -1'],
    [{ configCacheSeconds: 1.5 }, 'must be a whole number from 0 to 900; it is 1.5'],
    [{ configCacheSeconds: '901' }, 'must be a whole number from 0 to 900; it is "901"'],
    [{ configCacheSeconds: null }, 'must be a whole number from 0 to 900; it is null'],
    [{ promoEventRetentionDays: 29 }, 'must be a whole number from 30 to 3650; it is 29'],
    [
      { promoEventRetentionDays: 35, requestDateWindowSeconds: 7 * 24 * 60 * 60 },
      'promoEventRetentionDays must be at least 42 with this requestDateWindowSeconds',
    ],
    [{ alarmTopicArn: 'alarms' }, 'The setting alarmTopicArn must be the ARN of an SNS topic'],
    [{ stgae: 'prod' }, 'There is no setting "stgae". The settings are stage, userPoolId'],
  ])('%j', (context, message) => {
    expect(() => readSettings(context)).toThrow(SettingsError);
    expect(() => readSettings(context)).toThrow(message);
  });

  test('all of them at once, a line for each', () => {
    const context = { stage: '!', configCacheSeconds: 'x', typo: 1 };
    expect(() => readSettings(context)).toThrow(/^.+\n.+\n.+$/);
  });

  test('whatever the value is', () => {
    const name = fc.constantFrom(
      'stage',
      'userPoolId',
      'userPoolClientIds',
      'userIdClaim',
      'requestDateWindowSeconds',
      'configCacheSeconds',
      'promoEventRetentionDays',
      'alarmTopicArn',
    );
    fc.assert(
      fc.property(name, fc.anything(), (setting, value) => {
        try {
          readSettings({ [setting]: value });
        } catch (error) {
          expect(error).toBeInstanceOf(SettingsError);
        }
      }),
    );
  });
});
