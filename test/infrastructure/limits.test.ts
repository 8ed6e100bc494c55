import type { Template } from 'aws-cdk-lib/assertions';
import { expect, test } from 'vitest';
import { SettingsError } from '../../lib/settings/settings.ts';
import { stackFor, templateFor } from '../support/stack.ts';

/*
 * Settings that each are valid, and together exceed a limit of AWS, fail before they reach AWS.
 */

/** A generated name in Frankfurt, and the ids that Cognito gives. */
const DEPLOYED = {
  'AWS::Region': 'eu-central-1',
  'AWS::URLSuffix': 'amazonaws.com',
  Table: (id: string) => `CustomerDataApi-test-${id}-1ABCDEFGHIJKL`,
  Queue: (id: string) =>
    `https://sqs.eu-central-1.amazonaws.com/123456789012/CustomerDataApi-test-${id}-1ABCDEFGHIJK`,
  UserPool: () => 'eu-central-1_AbCdEfGhI',
  UserPoolClient: () => '1h57kf5cpq17m0eml12abcdefg',
};
const LAMBDA_BYTES = 4096;
const POOL = { userPoolId: 'eu-central-1_AbCdEfGhI', userPoolClientIds: ['1abc'] };

const names = (count: number) => Array.from({ length: count }, (_, n) => `App${n}`);
const origins = (count: number) =>
  Array.from({ length: count }, (_, n) => `https://shop-${String(n).padStart(3, '0')}.example.com`);

/** The bytes of the variables of the function that has most. */
function environmentBytes(template: Template): number {
  const { Resources } = template.toJSON();
  // biome-ignore lint/suspicious/noExplicitAny: any part of a template
  const deployed = (value: any): string => {
    if (typeof value === 'string') return value;
    if (value['Fn::Join']) return value['Fn::Join'][1].map(deployed).join(value['Fn::Join'][0]);
    const { Ref } = value;
    const [type = ''] = /[A-Za-z]+$/.exec(Resources[Ref]?.Type ?? '') ?? [];
    const found = DEPLOYED[(type.replace('Global', '') || Ref) as keyof typeof DEPLOYED];
    return typeof found === 'function' ? found(Ref) : found;
  };
  const bytes = Object.values(template.findResources('AWS::Lambda::Function')).map(
    ({ Properties: { Environment } }) =>
      Object.entries(Environment.Variables).flat().map(deployed).join('').length,
  );
  return Math.max(...bytes);
}

const isAccepted = (settings: object) => {
  try {
    stackFor({ ...settings });
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsError);
    return false;
  }
};

/** The greatest count that is accepted, near what is expected. */
function most(settings: (count: number) => object, expected: number): number {
  let count = expected;
  while (count < expected + 9 && isAccepted(settings(count + 1))) count += 1;
  while (!isAccepted(settings(count))) count -= 1;
  return count;
}

test.each<[string, (count: number) => object, bytesPerEntry: number]>([
  ['appClients', (count) => ({ appClients: names(count), requireUserPoolClientIds: true }), 27],
  ['corsOrigins', (count) => ({ corsOrigins: origins(count) }), 29],
])('as many %s as the variables of a function can hold', (_, settings, bytesPerEntry) => {
  const left = LAMBDA_BYTES - environmentBytes(templateFor({ ...settings(1) }));
  const count = most(settings, 1 + Math.floor(left / bytesPerEntry));
  const bytes = environmentBytes(templateFor({ ...settings(count) }));
  expect(bytes).toBeLessThanOrEqual(LAMBDA_BYTES);
  // Names can be a few characters longer in other Regions and stages.
  expect(bytes).toBeGreaterThan(LAMBDA_BYTES - bytesPerEntry - 30);
});

const urlOf = (length: number) => `https://example.com/${'a'.repeat(length - 20)}`;
const topics = (count: number) =>
  Array.from({ length: count }, (_, n) => `arn:aws:sns:eu-central-1:123456789012:topic-${n}`);

test('a runbookUrl fits the description of every alarm', () => {
  const settings = (length: number) => ({ runbookUrl: urlOf(length), heartbeat: true });
  const longest = (length: number) => {
    const alarms = templateFor(settings(length)).findResources('AWS::CloudWatch::Alarm');
    const descriptions = Object.values(alarms).map(({ Properties }) => Properties.AlarmDescription);
    return Math.max(...descriptions.map((text) => text.length));
  };
  const length = most(settings, 100 + 1024 - longest(100));
  expect(longest(length)).toBe(1024);
});

test('an alarm has at most five actions: topics, and one topic for all e-mail addresses', () => {
  const accepts = (...alarmRecipients: string[]) => isAccepted({ alarmRecipients });
  expect(accepts(...topics(5))).toBe(true);
  expect(accepts(...topics(4), 'a@b.c', 'd@e.f')).toBe(true);
  expect(accepts(...topics(6))).toBe(false);
  expect(accepts(...topics(5), 'a@b.c')).toBe(false);
});

test.each([
  [{ rateLimits: { perAddress: 50_000 }, webAcl: false }, 'noRateLimits'],
  [{ ...POOL, userIdClaim: 'preferred_username' }, 'userIdClaim'],
  [{ ...POOL, userIdClaim: 'family_name' }, 'userIdClaim'],
])('%j has no effect, not all, or a risk, and the synthesis says so', (settings, id) => {
  const warnings = stackFor(settings)
    .node.findAll()
    .flatMap(({ node }) => node.metadata)
    .map(({ data }) => String(data));
  expect(warnings).toContainEqual(expect.stringContaining(`customer-data-api:${id}`));
});
