import { readSettings } from 'customer-data-api/stack';
import { startAws } from 'customer-data-api/testing/aws';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { checkUserIdClaim } from '../../doctor/user-id-claim.ts';

const aws = await startAws();
beforeAll(() => {
  for (const [name, value] of Object.entries(aws.environment)) vi.stubEnv(name, value);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await aws.stop();
});

test.each<[claim: string, writes: string[] | undefined, code: string]>([
  ['sub', ['email'], 'safeClaim'],
  ['email', ['email'], 'safeClaim'],
  ['phone_number', undefined, 'safeClaim'],
  ['preferred_username', ['email'], 'safeClaim'],
  ['preferred_username', ['email', 'preferred_username'], 'writableClaim'],
  // Without a list, all standard attributes can be written.
  ['nickname', undefined, 'writableClaim'],
  ['custom:userId', ['email'], 'safeClaim'],
  ['custom:userId', ['custom:userId'], 'writableClaim'],
  ['custom:userId', undefined, 'safeClaim'],
  // A trigger makes these.
  ['aud', ['email'], 'claimByTrigger'],
  ['memberId', ['email'], 'claimByTrigger'],
])('the claim %s, where app clients write %j: %s', async (userIdClaim, writes, code) => {
  aws.answer({
    DescribeUserPoolClient: { UserPoolClient: { ...(writes && { WriteAttributes: writes }) } },
  });
  const pool = { userPoolId: 'eu-central-1_A', userPoolClientIds: ['1abc', '2def'] };
  const others = { alarmRecipients: 'none', requireUserPoolClientIds: true };
  const settings = readSettings({ ...pool, ...others, userIdClaim });
  const found = await Array.fromAsync(checkUserIdClaim('eu-central-1', settings));
  const appClients = code === 'writableClaim' && { appClients: pool.userPoolClientIds };
  expect(found).toEqual([{ code, facts: { claim: userIdClaim, ...appClients } }]);
});

test.each([{}, { userPoolId: 'eu-central-1_A', userPoolClientIds: ['1abc'], userIdClaim: 'none' }])(
  'nothing is asked about %j',
  async (changed) => {
    const others = { alarmRecipients: 'none', requireUserPoolClientIds: true };
    const settings = readSettings({ ...others, ...changed });
    expect(await Array.fromAsync(checkUserIdClaim('eu-central-1', settings))).toEqual([]);
  },
);
