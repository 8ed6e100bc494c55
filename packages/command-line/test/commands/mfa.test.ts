import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Answers, describedStack, type Input, startAws } from 'customer-data-api/testing/aws';
import { newFolder } from 'customer-data-api/testing/new-folder';
import { OUTPUTS } from 'customer-data-api/testing/outputs';
import { run } from 'customer-data-api/testing/processes';
import { afterAll, expect, test } from 'vitest';
import { LACKS_TERMINAL, runOnTerminal } from '../support/pseudo-terminal.ts';

/* Commands with a profile whose role needs a code of a device. */

const folder = await newFolder();
const file = (name: string) => join(folder.path, name);
const aws = await startAws();
afterAll(async () => {
  await aws.stop();
  await folder.remove();
});

const DEVICE = 'arn:aws:iam::123456789012:mfa/jane';
const CONFIG = `
[profile keys]
aws_access_key_id = KEY
aws_secret_access_key = secret
[profile on-call]
role_arn = arn:aws:iam::123456789012:role/OnCall
mfa_serial = ${DEVICE}
source_profile = keys
[profile twice]
role_arn = arn:aws:iam::123456789012:role/Second
mfa_serial = ${DEVICE}
source_profile = on-call
[profile broken]
role_arn = arn:aws:iam::123456789012:role/OnCall
mfa_serial = ${DEVICE}
source_profile = gone
`;
await writeFile(file('config'), CONFIG);
await writeFile(file('credentials'), '');

const CODE = '493817';
const ANSWERS: Answers = {
  AssumeRole: ({ SerialNumber, TokenCode }: Input) =>
    SerialNumber === DEVICE && TokenCode === CODE
      ? '<Credentials><AccessKeyId>ROLE</AccessKeyId><SecretAccessKey>secret</SecretAccessKey><SessionToken>token</SessionToken><Expiration>2999-01-01T00:00:00Z</Expiration></Credentials>'
      : {
          __type: 'AccessDenied',
          message: 'MultiFactorAuthentication failed with invalid MFA one time pass code.',
        },
  DescribeStacks: describedStack('CustomerDataApi-prod', { ...OUTPUTS, RetainsData: 'true' }),
  GetCallerIdentity: '<Arn>arn:aws:sts::123456789012:assumed-role/OnCall/jane</Arn>',
};
const environment = {
  ...aws.environment,
  AWS_CONFIG_FILE: file('config'),
  AWS_SHARED_CREDENTIALS_FILE: file('credentials'),
  AWS_ACCESS_KEY_ID: undefined,
  AWS_SECRET_ACCESS_KEY: undefined,
  HOME: folder.path,
};
// It calls CloudFormation, DynamoDB and STS, each with a client of its own.
const LINE = ['clients', 'remove', 'acme', '--stack', 'CustomerDataApi-prod'];
const operations = () => [...new Set(aws.calls.map(({ operation }) => operation))];

/** Returns what the terminal shows when somebody types something at the question for the code. */
async function typed(text: string, profile = 'on-call') {
  aws.answer({
    ...ANSWERS,
    GetItem: { Item: { clientId: { S: 'acme' }, fields: { L: [] }, lastFieldId: { N: '0' } } },
    Query: { Items: [], Count: 0 },
  });
  const line = [...LINE, '--dry-run', '--profile', profile];
  const { code, stdout } = await runOnTerminal(line, text, environment, DEVICE);
  return { code, stdout, times: stdout.split(DEVICE).length - 1 };
}

test.skipIf(LACKS_TERMINAL)(
  'the code is asked for once, and is neither shown nor kept',
  async () => {
    const { code, stdout, times } = await typed(`${CODE}\r`);
    expect({ code, times }, stdout).toEqual({ code: 0, times: 1 });
    expect(stdout).not.toContain(CODE);
    expect(operations()).toEqual(
      expect.arrayContaining(['AssumeRole', 'DescribeStacks', 'GetItem']),
    );
    const others = aws.calls.filter(({ operation }) => operation !== 'AssumeRole');
    expect(new Set(others.map(({ signer }) => signer))).toEqual(new Set(['ROLE us-east-1']));
    const files = await readdir(folder.path, { recursive: true, withFileTypes: true });
    for (const { parentPath, name } of files.filter((one) => one.isFile())) {
      expect(await readFile(join(parentPath, name), 'utf8')).not.toContain(CODE);
    }
  },
);

test.skipIf(LACKS_TERMINAL).each([
  ['a wrong code', '000000\r', 1, /MultiFactorAuthentication failed/],
  ['nothing', '\r', 1, /No MFA code/],
  ['Ctrl-C', '\x03', 1, /No MFA code/],
  ['Ctrl-D', '\x04', 1, /No MFA code/],
])('%s ends the command in one line', async (_, text, times, message) => {
  const asked = await typed(text);
  expect([asked.code, asked.times], asked.stdout).toEqual([4, times]);
  expect(asked.stdout.trimEnd().split('\n').length, asked.stdout).toBe(2);
  expect(asked.stdout).toMatch(message);
});

test.skipIf(LACKS_TERMINAL)('a second role in a row asks after the first', async () => {
  const { code, stdout, times } = await typed(`${CODE}\r`, 'twice');
  expect([code, times], stdout).toEqual([0, 2]);
  const assumed = aws.calls.filter(({ operation }) => operation === 'AssumeRole');
  expect(assumed.map(({ signer }) => signer)).toEqual(['KEY us-east-1', 'ROLE us-east-1']);
});

test.skipIf(LACKS_TERMINAL)(
  'a source profile that does not exist ends it in one line',
  async () => {
    const { code, stdout, times } = await typed(`${CODE}\r`, 'broken');
    expect([code, times, stdout.trimEnd().split('\n').length], stdout).toEqual([4, 0, 1]);
  },
);

test('without a terminal, the message says where else the credentials can come from', async () => {
  aws.answer(ANSWERS);
  const { code, stdout, stderr } = await run(
    'customer-data',
    [...LINE, '--yes', '--profile', 'on-call'],
    environment,
  );
  expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
  expect(stderr).toContain('aws configure export-credentials --profile on-call --format env');
  expect(aws.calls).toEqual([]);
});
