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

test.each<[claim: string, writes: string[] | undefined, status: string]>([
  ['sub', ['email'], 'ok'],
  ['email', ['email'], 'ok'],
  ['phone_number', undefined, 'ok'],
  ['preferred_username', ['email'], 'ok'],
  ['preferred_username', ['email', 'preferred_username'], 'problem'],
  // Without a list, all standard attributes can be written.
  ['nickname', undefined, 'problem'],
  ['custom:userId', ['email'], 'ok'],
  ['custom:userId', ['custom:userId'], 'problem'],
  ['custom:userId', undefined, 'ok'],
  // A trigger makes these.
  ['aud', ['email'], 'note'],
  ['memberId', ['email'], 'note'],
])('the claim %s, where app clients write %j: %s', async (userIdClaim, writes, status) => {
  aws.answer({
    DescribeUserPoolClient: { UserPoolClient: { ...(writes && { WriteAttributes: writes }) } },
  });
  const pool = { userPoolId: 'eu-central-1_A', userPoolClientIds: ['1abc', '2def'] };
  const others = { alarmRecipients: 'none', requireUserPoolClientIds: true };
  const settings = readSettings({ ...pool, ...others, userIdClaim });
  const found = await Array.fromAsync(checkUserIdClaim('eu-central-1', settings));
  expect(found).toEqual([expect.objectContaining({ status })]);
  if (status === 'problem') expect(found[0]?.message).toContain('1abc, 2def');
});

test.each([{}, { userPoolId: 'eu-central-1_A', userPoolClientIds: ['1abc'], userIdClaim: 'none' }])(
  'nothing is asked about %j',
  async (changed) => {
    const others = { alarmRecipients: 'none', requireUserPoolClientIds: true };
    const settings = readSettings({ ...others, ...changed });
    expect(await Array.fromAsync(checkUserIdClaim('eu-central-1', settings))).toEqual([]);
  },
);
