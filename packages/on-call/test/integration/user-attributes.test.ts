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

test.each<[deployed: object[], settings: object, found: [code: string, facts?: object][]]>([
  [[], {}, [['attributes']]],
  [[], { userAttributes: ['userId'] }, [['addedAttributes', { attributes: ['userId'] }]]],
  [[declared('userId')], { userAttributes: ['userId'] }, [['attributes']]],
  [
    [declared('userId')],
    { userAttributes: ['userId', 'tier'] },
    [['addedAttributes', { attributes: ['tier'] }]],
  ],
  [
    [declared('userId')],
    { userAttributes: ['userId'], userIdClaim: 'custom:userId' },
    [['attributes']],
  ],
  // Cognito refuses these.
  [
    [declared('userId')],
    {},
    [['keptAttributes', { attributes: ['userId'], userAttributes: ['userId'] }]],
  ],
  [
    [declared('a'), declared('b')],
    { userAttributes: ['c'] },
    [['keptAttributes', { attributes: ['a', 'b'], userAttributes: ['c', 'a', 'b'] }]],
  ],
  [
    [declared('a', { AttributeDataType: 'Number' })],
    { userAttributes: ['a'] },
    [['fixedAttributes', { attributes: ['a'] }]],
  ],
  [
    [declared('a', { Mutable: false })],
    { userAttributes: ['a'] },
    [['fixedAttributes', { attributes: ['a'] }]],
  ],
  // Nobody has a value of it yet.
  [
    [],
    { userAttributes: ['userId'], userIdClaim: 'custom:userId' },
    [['emptyClaim', { claim: 'custom:userId' }]],
  ],
])('a pool with %j and settings %j: %j', async (deployed, changed, results) => {
  aws.answer({
    DescribeStacks: describedStack(STACK, { UserPoolId: 'eu-central-1_A' }),
    DescribeUserPool: { UserPool: { SchemaAttributes: [{ Name: 'email' }, ...deployed] } },
  });
  const settings = readSettings({ alarmRecipients: 'none', ...changed });
  const found = await Array.fromAsync(checkUserAttributes('eu-central-1', STACK, settings));
  expect(found).toEqual(results.map(([code, facts = {}]) => ({ code, facts })));
});
