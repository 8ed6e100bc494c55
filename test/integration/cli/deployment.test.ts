import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { findDeployment } from '../../../cli/deployment.ts';
import { customerData } from '../../support/command-line.ts';
import { startFakeAws } from '../../support/fake-aws.ts';
import { OUTPUTS } from '../../support/outputs.ts';

/* `--stack`: what CloudFormation says about a deployment. */

const STACK = 'CustomerDataApi-prod';

let aws: Awaited<ReturnType<typeof startFakeAws>>;
beforeAll(async () => {
  aws = await startFakeAws();
  for (const [name, value] of Object.entries({ ...aws.environment, AWS_REGION: 'eu-west-3' })) {
    vi.stubEnv(name, value);
  }
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await aws.stop();
});

function described(outputs: Readonly<Record<string, string>>): string {
  const members = Object.entries(outputs).map(
    ([name, value]) =>
      `<member><OutputKey>${name}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  );
  return `<Stacks><member><StackName>${STACK}</StackName><StackStatus>UPDATE_COMPLETE</StackStatus><CreationTime>2026-11-20T09:30:00Z</CreationTime><Outputs>${members.join('')}</Outputs></member></Stacks>`;
}

test('a deployment has the outputs of its stack, and the options that name it', async () => {
  const outputs = { ...OUTPUTS, RetainsData: 'false', RequiresUserPoolClientIds: 'true' };
  aws.answer({ DescribeStacks: described({ ...outputs, Unused: 'x' }) });
  expect(await findDeployment({ stack: STACK })).toEqual({
    ...{ stackName: STACK, outputs, outputsFile: undefined },
    ...{ isProduction: false, requiresUserPoolClientIds: true },
    options: `--stack ${STACK}`,
  });
  expect(aws.inputsOf('DescribeStacks')).toMatchObject([{ StackName: STACK }]);
  expect(aws.signedBy).toEqual(['test eu-west-3']);
});

test('the connection to CloudFormation is closed, whether or not there is an answer', async () => {
  for (const answers of [{ DescribeStacks: described(OUTPUTS) }, {}]) {
    aws.answer(answers);
    await findDeployment({ stack: STACK }).catch(() => {});
    expect(aws.calls).toEqual(['DescribeStacks']);
    // A server closes a connection that nobody uses after five seconds.
    await vi.waitFor(async () => expect(await aws.connections()).toBe(0), { interval: 5 });
  }
});

test('a stack that nobody may look at is not one that does not exist', async () => {
  aws.answer({});
  expect(await customerData(['clients', 'list', '--stack', STACK])).toEqual({
    ...{ code: 4, stdout: '' },
    stderr: `cloudformation:DescribeStacks on ${STACK} failed. AccessDenied: You are not authorized.\n`,
  });
});

test('a stack without outputs lacks all of them', async () => {
  aws.answer({ DescribeStacks: described({}) });
  const { code, stderr } = await customerData(['clients', 'list', '--stack', STACK]);
  expect(code).toBe(2);
  expect(stderr).toBe(
    `The stack ${STACK} lacks ${Object.keys(OUTPUTS).join(', ')}. Deploy the current version of the service and try again.\n`,
  );
});
