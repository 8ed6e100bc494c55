import { readSettings } from 'customer-data-api/stack';
import { describedStack, startAws } from 'customer-data-api/testing/aws';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { checkUserAttributes } from '../../doctor/account.ts';

const STACK = 'CustomerDataApi-prod';
const aws = await startAws();
beforeAll(() => {
  for (const [name, value] of Object.entries(aws.environment)) vi.stubEnv(name, value);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await aws.stop();
});

const declared = (name: string, changed: object = {}) => ({
  Name: `custom:${name}`,
  AttributeDataType: 'String',
  Mutable: true,
  ...changed,
});

test.each<[deployed: object[], settings: object, problems: RegExp[]]>([
  [[], {}, []],
  [[], { userAttributes: ['userId'] }, []],
  [[declared('userId')], { userAttributes: ['userId'] }, []],
  [[declared('userId')], { userAttributes: ['userId', 'tier'] }, []],
  [[declared('userId')], { userAttributes: ['userId'], userIdClaim: 'custom:userId' }, []],
  // What Cognito refuses.
  [[declared('userId')], {}, [/"userAttributes": \["userId"\]/]],
  [[declared('a'), declared('b')], { userAttributes: ['c'] }, [/\["c", "a", "b"\]/]],
  [[declared('a', { AttributeDataType: 'Number' })], { userAttributes: ['a'] }, [/custom:a /]],
  [[declared('a', { Mutable: false })], { userAttributes: ['a'] }, [/custom:a /]],
  // Nobody has a value of it yet.
  [[], { userAttributes: ['userId'], userIdClaim: 'custom:userId' }, [/userIdClaim/]],
])('a pool with %j and settings %j: problems %j', async (deployed, changed, problems) => {
  aws.answer({
    DescribeStacks: describedStack(STACK, { UserPoolId: 'eu-central-1_A' }),
    DescribeUserPool: { UserPool: { SchemaAttributes: [{ Name: 'email' }, ...deployed] } },
  });
  const settings = readSettings({ alarmRecipients: 'none', ...changed });
  const found = await Array.fromAsync(checkUserAttributes('eu-central-1', STACK, settings));
  expect(found.map(({ status }) => status)).toEqual(
    problems.length > 0 ? problems.map(() => 'problem') : ['ok'],
  );
  for (const [index, pattern] of problems.entries()) expect(found[index]?.message).toMatch(pattern);
});
