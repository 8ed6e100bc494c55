import { userInfo } from 'node:os';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { author } from '../../../cli/author.ts';
import type { Deployment } from '../../../cli/deployment.ts';
import type { Outputs } from '../../../cli/outputs.ts';
import { startFakeAws } from '../../support/fake-aws.ts';
import { OUTPUTS } from '../../support/outputs.ts';

let aws: Awaited<ReturnType<typeof startFakeAws>>;
beforeAll(async () => {
  aws = await startFakeAws();
  for (const [name, value] of Object.entries(aws.environment)) vi.stubEnv(name, value);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await aws.stop();
});
afterEach(() => aws.answer({}));

const ARN = 'arn:aws:sts::123456789012:assumed-role/Editor/jane';
const authorFor = (outputs: Outputs) => author({ outputs } as Deployment);

test('the author of a change in AWS is the caller, as AWS knows them', async () => {
  aws.answer({ GetCallerIdentity: `<Arn>${ARN}</Arn>` });
  expect(await authorFor(OUTPUTS)).toBe(ARN);
});

test('nothing is changed by nobody: a refusal ends the command', async () => {
  await expect(authorFor(OUTPUTS)).rejects.toThrow('You are not authorized.');
});

test('the author of a change on the local server is the user of this machine, and AWS is not asked', async () => {
  expect(await authorFor({ ...OUTPUTS, JwksUri: 'http://127.0.0.1:1' })).toBe(userInfo().username);
  expect(aws.calls).toEqual([]);
});
