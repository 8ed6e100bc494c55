import { hash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { dirname, join } from 'node:path';
import { type Answers, describedStack, startAws } from 'customer-data-api/testing/aws';
import { newFolder } from 'customer-data-api/testing/new-folder';
import { OUTPUTS } from 'customer-data-api/testing/outputs';
import { fileOf, runFile } from 'customer-data-api/testing/processes';
import { startProxy } from 'customer-data-api/testing/proxy';
import { startService } from 'customer-data-api/testing/service';
import { afterAll, beforeEach, expect, test } from 'vitest';

/* Commands of an operator whose machine reaches AWS through a proxy only. */

const REGION = 'eu-central-1';
const STACK = 'CustomerDataApi-prod';
const folder = await newFolder();
const home = (file: string) => join(folder.path, file);
const aws = await startAws();
const NAMES = ['*', 'portal.sso', 'oidc'].map((name) => `${name}.${REGION}.amazonaws.com`);
const proxy = await startProxy(aws.endpoint, [...NAMES, 'api.example.com'], folder.path);
const service = await startService();
afterAll(async () => {
  await Promise.all([proxy.stop(), aws.stop(), service.stop()]);
  await folder.remove();
});

const ROLE = 'arn:aws:iam::123456789012:role/Operator';
const KEYS = 'aws_access_key_id = KEY\naws_secret_access_key = secret';
const FILES: Readonly<Record<string, string>> = {
  '.aws/config': `
[profile keys]
${KEYS}
[profile role]
role_arn = ${ROLE}
source_profile = keys
[profile web]
role_arn = ${ROLE}
web_identity_token_file = ${home('token')}
[profile sso]
sso_session = company
sso_account_id = 123456789012
sso_role_name = Operator
[sso-session company]
sso_start_url = https://company.awsapps.com/start
sso_region = ${REGION}
`,
  token: 'token',
  // The token has expired, and is renewed.
  [`.aws/sso/cache/${hash('sha1', 'company')}.json`]: JSON.stringify({
    accessToken: 'token',
    expiresAt: new Date(Date.now() - 1000).toISOString(),
    clientId: 'client',
    clientSecret: 'secret',
    refreshToken: 'refresh',
  }),
};
beforeEach(async () => {
  proxy.forget();
  for (const [file, content] of Object.entries(FILES)) {
    await mkdir(dirname(home(file)), { recursive: true });
    await writeFile(home(file), content);
  }
});

const CREDENTIALS =
  '<Credentials><AccessKeyId>ROLE</AccessKeyId><SecretAccessKey>secret</SecretAccessKey><SessionToken>token</SessionToken><Expiration>2999-01-01T00:00:00Z</Expiration></Credentials>';
const ANSWERS: Answers = {
  AssumeRole: CREDENTIALS,
  AssumeRoleWithWebIdentity: CREDENTIALS,
  '/token': { accessToken: 'new', expiresIn: 3600, tokenType: 'Bearer' },
  '/federation/credentials': {
    roleCredentials: {
      accessKeyId: 'ROLE',
      secretAccessKey: 'secret',
      sessionToken: 'token',
      expiration: Date.now() + 3_600_000,
    },
  },
  DescribeStacks: describedStack(STACK, { ...OUTPUTS, Region: REGION }),
  Scan: { Items: [] },
};

/** Runs a command as a person does, in an environment of its own. */
function customerData(words: string, env: NodeJS.ProcessEnv) {
  aws.answer(ANSWERS);
  const none = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'AWS_PROFILE', 'AWS_ACCESS_KEY_ID'];
  const unset = none.flatMap((name) => [name, name.toLowerCase()]);
  return runFile('packages/launcher/launch.cjs', [fileOf('customer-data'), ...words.split(' ')], {
    ...Object.fromEntries(unset.map((name) => [name, undefined])),
    HOME: folder.path,
    USERPROFILE: folder.path,
    AWS_REGION: REGION,
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_MAX_ATTEMPTS: '1',
    ...proxy.environment,
    ...env,
  });
}

const hostsOf = (...names: readonly string[]) =>
  names.map((name) => `${name}.${REGION}.amazonaws.com:443`).sort();
const LIST = `clients list --stack ${STACK} --profile`;

test.each([
  ['keys', []],
  ['role', ['sts']],
  ['web', ['sts']],
  ['sso', ['oidc', 'portal.sso']],
])('with the profile %s, every call to AWS goes through the proxy', async (profile, asked) => {
  const env = { HTTPS_PROXY: proxy.url };
  expect(await customerData(`${LIST} ${profile}`, env)).toMatchObject({ code: 0, stderr: '' });
  expect(proxy.hosts()).toEqual(hostsOf(...asked, 'cloudformation', 'dynamodb'));
});

test('so do the calls of the API', async () => {
  const line = `smoke --stack ${STACK} --profile keys --without-writes`;
  await customerData(line, { HTTPS_PROXY: proxy.url });
  expect(proxy.hosts()).toContain('api.example.com:443');
});

const { host } = new URL(proxy.url);

test.each([
  ['https_proxy', 'HOST'],
  ['HTTPS_PROXY', 'HTTP://HOST/'],
])('the proxy may be written as %s=%s', async (name, value) => {
  const env = { [name]: value.replace('HOST', host) };
  expect(await customerData(`${LIST} keys`, env)).toMatchObject({ code: 0 });
  expect(proxy.hosts()).toEqual(hostsOf('cloudformation', 'dynamodb'));
});

test('the password of a proxy is sent to it, and shown to nobody', async () => {
  const HTTPS_PROXY = `http://jane:hidden@${host}`;
  expect(await customerData(`${LIST} role`, { HTTPS_PROXY })).toMatchObject({ code: 0 });
  const sent = `Basic ${Buffer.from('jane:hidden').toString('base64')}`;
  expect(proxy.authorization()).toBe(sent);
  for (const url of ['http://jane:hidden@127.0.0.1:1', 'socks5://jane:hidden@127.0.0.1']) {
    const { code, stderr } = await customerData(`${LIST} role`, { HTTPS_PROXY: url });
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(code).toBeGreaterThan(0);
    expect(stderr).not.toMatch(/hidden|amFuZT/);
  }
});

test('without one in the environment, none is used', async () => {
  await customerData(`${LIST} keys`, { AWS_ENDPOINT_URL: aws.endpoint });
  expect(proxy.hosts()).toEqual([]);
});

/** The variables that let Node's own fetch use a proxy. */
const ALWAYS = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url };

test.each([{}, { no_proxy: 'example.com' }])(
  'this machine is reached without it: %j',
  async (exceptions) => {
    const env = { ...ALWAYS, ...exceptions };
    const { ApiUrl, JwksUri } = service.outputs;
    const { port } = new URL(JwksUri);
    await writeFile(
      home('fetch.mjs'),
      `for (const url of process.argv.slice(2)) await fetch(url).catch(() => {});`,
    );
    const urls = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `http://${name}:${port}/`);
    await runFile('packages/launcher/launch.cjs', [home('fetch.mjs'), ApiUrl, ...urls], env);
    expect(await customerData(`smoke --outputs ${service.outputsFile}`, env)).toMatchObject({
      code: 0,
    });
    expect(
      await customerData(`${LIST} role`, { ...env, AWS_ENDPOINT_URL: aws.endpoint }),
    ).toMatchObject({ code: 0 });
    const token = [fileOf('token'), '--folder', service.folder];
    expect(await runFile('packages/launcher/launch.cjs', token, env)).toMatchObject({ code: 0 });
    expect(proxy.hosts()).toEqual([]);
  },
);

/** Prints where each URL is looked for, and connects to nothing. */
const CONNECTS = `
  import http from 'node:http';
  import net from 'node:net';
  net.Socket.prototype.connect = function (...words) {
    const [{ host }] = words.flat();
    console.log(host.replace(/^\\[|\\]$/g, ''));
    return this.destroy(new Error('not connected'));
  };
  for (const url of process.argv.slice(2)) {
    await new Promise((resolve) => http.get(url).on('error', resolve));
    await fetch(url).catch(() => {});
  }`;

/** Returns where the agents of the AWS clients and `fetch` look for each host. */
async function connectionsTo(hosts: readonly string[], NO_PROXY: string): Promise<string[]> {
  await writeFile(home('connects.mjs'), CONNECTS);
  const urls = hosts.map((name) => `http://${name}/`);
  const env = { ...ALWAYS, NO_PROXY };
  const line = [home('connects.mjs'), ...urls];
  const { stdout } = await runFile('packages/launcher/launch.cjs', line, env);
  return stdout.trim().split('\n');
}

const { hostname } = new URL(proxy.url);
const twice = (names: readonly string[]) => names.flatMap((name) => [name, name]);

test('neither is this machine under its other names, nor what gives a machine of AWS its credentials', async () => {
  const own = Object.values(networkInterfaces()).flatMap((addresses = []) =>
    addresses.flatMap(({ address, family }) => (family === 'IPv4' ? address : `[${address}]`)),
  );
  const ofAws = '169.254.170.2 169.254.170.23 169.254.169.254 [fd00:ec2::254] [fd00:ec2::23]';
  const hosts = ['localhost.', '0.0.0.0', '[::]', '[::ffff:7f00:1]', ...own, ...ofAws.split(' ')];
  const names = hosts.map((one) => one.replace(/[[\]]/g, ''));
  expect(await connectionsTo(hosts, 'example.com')).toEqual(twice(names));
  const [ofAgent] = await connectionsTo(['127.1.1.1'], '');
  expect(ofAgent).toBe('127.1.1.1');
});

test.each(['.amazonaws.com', '*.amazonaws.com', 'example.net, AmazonAWS.com', '*'])(
  'a domain in NO_PROXY stands for its hosts, as for the AWS CLI: %s',
  async (exceptions) => {
    const hosts = ['sqs.amazonaws.com', 'amazonaws.com.example'];
    const all = exceptions === '*';
    expect(await connectionsTo(hosts, exceptions)).toEqual(
      twice(['sqs.amazonaws.com', all ? 'amazonaws.com.example' : hostname]),
    );
  },
);
