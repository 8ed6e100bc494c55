import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { customerData } from '../support/command-line.ts';
import { startFakeAws } from '../support/fake-aws.ts';
import { OUTPUTS } from '../support/outputs.ts';

/* Profiles and regions, as the AWS CLI has them: from its files, the environment, and options. */

const STACK = 'CustomerDataApi-prod';

const CONFIG = `
[default]
region = us-west-2
[profile ops]
region = eu-north-1
[profile deployer]
role_arn = arn:aws:iam::123456789012:role/Deployer
source_profile = ops
region = eu-west-1
[profile nowhere]
`;
const CREDENTIALS = ['default', 'ops', 'nowhere', 'stored'].map(
  (name) => `[${name}]\naws_access_key_id = KEY-OF-${name}\naws_secret_access_key = secret\n`,
);

let folder: string;
let aws: Awaited<ReturnType<typeof startFakeAws>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
  await writeFile(join(folder, 'config'), CONFIG);
  await writeFile(join(folder, 'credentials'), CREDENTIALS.join(''));
  aws = await startFakeAws();
});
afterAll(async () => {
  await aws.stop();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  for (const name of Object.keys(process.env)) {
    if (name.startsWith('AWS_')) vi.stubEnv(name, undefined);
  }
  const env = {
    ...{ AWS_PROFILE: undefined, AWS_REGION: undefined, AWS_ENDPOINT_URL: aws.endpoint },
    AWS_CONFIG_FILE: join(folder, 'config'),
    AWS_SHARED_CREDENTIALS_FILE: join(folder, 'credentials'),
    AWS_EC2_METADATA_DISABLED: 'true',
  };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
});
afterEach(() => vi.unstubAllEnvs());

const outputs = Object.entries(OUTPUTS).map(
  ([name, value]) =>
    `<member><OutputKey>${name}</OutputKey><OutputValue>${value}</OutputValue></member>`,
);
const DESCRIBED = `<Stacks><member><StackName>${STACK}</StackName><StackStatus>UPDATE_COMPLETE</StackStatus><CreationTime>2026-11-20T09:30:00Z</CreationTime><Outputs>${outputs.join('')}</Outputs></member></Stacks>`;
const ASSUMED =
  '<Credentials><AccessKeyId>KEY-OF-ROLE</AccessKeyId><SecretAccessKey>secret</SecretAccessKey><SessionToken>token</SessionToken><Expiration>2999-01-01T00:00:00Z</Expiration></Credentials>';

const KEYS = { AWS_ACCESS_KEY_ID: 'KEY-OF-ENVIRONMENT', AWS_SECRET_ACCESS_KEY: 'secret' };

test.each<[string, Record<string, string>, string[], string]>([
  ['the default profile', {}, [], 'KEY-OF-default us-west-2'],
  ['AWS_PROFILE', { AWS_PROFILE: 'ops' }, [], 'KEY-OF-ops eu-north-1'],
  ['--profile', {}, ['--profile', 'ops'], 'KEY-OF-ops eu-north-1'],
  [
    '--profile before AWS_PROFILE',
    { AWS_PROFILE: 'x' },
    ['--profile', 'ops'],
    'KEY-OF-ops eu-north-1',
  ],
  [
    '--profile before keys in the environment',
    { ...KEYS, AWS_SESSION_TOKEN: 'token' },
    ['--profile', 'ops'],
    'KEY-OF-ops eu-north-1',
  ],
  ['a profile that assumes a role', { AWS_PROFILE: 'deployer' }, [], 'KEY-OF-ROLE eu-west-1'],
  ['keys in the environment', KEYS, [], 'KEY-OF-ENVIRONMENT us-west-2'],
  [
    'keys in the environment before AWS_PROFILE, which still has the region',
    { ...KEYS, AWS_PROFILE: 'ops' },
    [],
    'KEY-OF-ENVIRONMENT eu-north-1',
  ],
  [
    'AWS_REGION before the region of that profile',
    { ...KEYS, AWS_PROFILE: 'ops', AWS_REGION: 'eu-south-1' },
    [],
    'KEY-OF-ENVIRONMENT eu-south-1',
  ],
  ...Object.entries(KEYS).map(([name, value]): [string, Record<string, string>, [], string] => [
    `AWS_PROFILE before half of the keys, ${name}`,
    { [name]: value, AWS_PROFILE: 'ops' },
    [],
    'KEY-OF-ops eu-north-1',
  ]),
  [
    'a profile that only the file of credentials has',
    {},
    ['--profile', 'stored', '--region', 'eu-west-2'],
    'KEY-OF-stored eu-west-2',
  ],
  [
    'AWS_REGION before the region of a profile',
    { AWS_PROFILE: 'ops', AWS_REGION: 'eu-south-1' },
    [],
    'KEY-OF-ops eu-south-1',
  ],
  [
    'AWS_DEFAULT_REGION before the region of a profile',
    { AWS_PROFILE: 'ops', AWS_DEFAULT_REGION: 'eu-south-2' },
    [],
    'KEY-OF-ops eu-south-2',
  ],
  [
    '--region before AWS_REGION',
    { AWS_PROFILE: 'ops', AWS_REGION: 'eu-south-1' },
    ['--region', 'ap-south-1'],
    'KEY-OF-ops ap-south-1',
  ],
])('a command obeys %s', async (_, env, options, caller) => {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  aws.answer({ DescribeStacks: DESCRIBED, AssumeRole: ASSUMED, Scan: { Items: [], Count: 0 } });
  const warn = vi.spyOn(console, 'warn');
  const run = await customerData(['clients', 'list', '--stack', STACK, ...options]);
  expect(run).toEqual({ code: 0, stdout: '', stderr: '' });
  // The SDK's, if it finds several sources of credentials: it would not name the one that was asked for.
  for (const name of [...Object.keys(KEYS), 'AWS_SESSION_TOKEN']) {
    if (options.includes('--profile')) expect(process.env).not.toHaveProperty(name);
  }
  expect(warn).not.toHaveBeenCalled();
  const [key] = caller.split(' ');
  const own = aws.signedBy.filter((_, index) => aws.calls[index] !== 'AssumeRole');
  // The tables are in the region that the outputs of the stack name.
  expect(own).toEqual([caller, `${key} ${OUTPUTS.Region}`]);
});

test('a profile in AWS_PROFILE that does not exist ends a command in one line', async () => {
  vi.stubEnv('AWS_PROFILE', 'nobody');
  aws.answer({});
  expect(await customerData(['clients', 'list', '--stack', STACK])).toEqual({
    ...{ code: 2, stdout: '' },
    stderr: 'There is no AWS profile nobody. aws configure list-profiles lists yours.\n',
  });
  expect(aws.calls).toEqual([]);
});

test.each<[string, Record<string, string>]>([
  ['that does not exist', { AWS_PROFILE: 'nobody' }],
  ['without a region, beside keys', { ...KEYS, AWS_PROFILE: 'nowhere' }],
])('a profile in AWS_PROFILE %s does not matter to the local server', async (_, env) => {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  aws.answer({ Scan: { Items: [], Count: 0 } });
  const file = join(folder, 'outputs.json');
  const local = { ...OUTPUTS, DynamoDbEndpoint: aws.endpoint, JwksUri: aws.endpoint };
  await writeFile(file, JSON.stringify({ 'CustomerDataApi-dev': local }));
  const run = await customerData(['clients', 'list', '--outputs', file]);
  expect(run).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(aws.calls).toEqual(['Scan']);
});

test.each<[string, string[], number, RegExp]>([
  [
    'a profile that does not exist',
    ['--profile', 'nobody', '--region', 'eu-west-1'],
    2,
    /^There is no AWS profile nobody\. aws configure list-profiles lists yours\.\n$/,
  ],
  [
    'a profile without a region',
    ['--profile', 'nowhere'],
    2,
    /^The region is unknown\. Name it with --region, or set AWS_REGION\.\n$/,
  ],
])('%s ends a command in one line', async (_, options, code, expected) => {
  aws.answer({});
  const run = await customerData(['clients', 'list', '--stack', STACK, ...options]);
  expect({ code: run.code, stdout: run.stdout }).toEqual({ code, stdout: '' });
  expect(run.stderr).toMatch(expected);
  expect(aws.calls).toEqual([]);
});
