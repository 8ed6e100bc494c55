import { createServer } from 'node:http';
import type { Command } from 'commander';
import { describedStack, NO_RESPONSE } from 'customer-data-api/testing/aws';
import { OUTPUTS } from 'customer-data-api/testing/outputs';
import { close, listen } from 'customer-data-api-deployment/local';
import { describe, expect, test, vi } from 'vitest';
import { customerDataCommand } from '../../command-line.ts';
import { customerData } from '../support/command-line.ts';
import { checkCall } from '../support/documents/command-check.ts';
import { STACK, scenario, wordsOf } from '../support/transcripts/desk.ts';

const program = await customerDataCommand(process);

/** The commands that do something, with the words that call them. */
const COMMANDS = leaves(program);

function leaves(command: Command, words: readonly string[] = []): [string, Command][] {
  return command.commands.flatMap((one) => {
    const own = [...words, one.name()];
    return one.commands.length > 0 ? leaves(one, own) : [[own.join(' '), one] as [string, Command]];
  });
}

test('a call without a command prints the help, and an unknown one is refused', async () => {
  for (const group of [[], ['clients']]) {
    const { stdout: stderr } = await customerData([...group, '--help']);
    expect(await customerData(group)).toEqual({ code: 2, stdout: '', stderr });
    const refused = { code: 2, stdout: '', stderr: expect.stringContaining('nonsense') };
    expect(await customerData([...group, 'nonsense'])).toEqual(refused);
  }
});

/** The options that contradict each other, in every command that has both. */
const CONTRADICTIONS = [
  '--outputs --local',
  '--stack --local',
  '--stack --outputs',
  '--profile --local',
  '--region --local',
  '--region --outputs',
  '--yes --dry-run',
  '--stage --local',
  '--stage --outputs',
  '--stage --stack',
  '--csv --json',
].map((pair) => pair.split(' '));

describe.each(COMMANDS)('./customer-data %s', (name, { registeredArguments, options }) => {
  const names = options.map(({ long }) => String(long));
  /** Runs it with its arguments, the mandatory options and some more. */
  const call = (given: readonly string[], more: readonly string[] = []) =>
    customerData([
      ...name.split(' '),
      ...options
        .filter(({ long, mandatory }) => mandatory || given.includes(long ?? ''))
        .flatMap(({ long, required, argChoices = [] }) => [
          long ?? '',
          ...(required ? [argChoices[0] ?? (long === '--language' ? 'de' : '1h')] : []),
        ]),
      ...more,
    ]);
  const args: readonly string[] = registeredArguments
    .filter(({ required }) => required)
    .map((one) => ({ version: 'demo@1', percent: '5' })[one.name()] ?? 'demo');

  test('has examples that are commands', async () => {
    const { stdout } = await customerData([...name.split(' '), '--help']);
    const [, examples = ''] = stdout.split('\nExamples:\n');
    expect(examples).toContain(`./customer-data ${name}`);
    // Without the redirection, which a shell would make.
    for (const line of examples.trim().split('\n'))
      await checkCall(wordsOf(line.replace(/ >>? \S+$/, '')));
  });

  test('refuses options that it does not know, or that contradict each other', async () => {
    const refused = { code: 2, stdout: '' };
    expect(await call([], ['--unknown'])).toMatchObject(refused);
    for (const pair of CONTRADICTIONS.filter((one) => one.every((long) => names.includes(long)))) {
      const { code, stdout, stderr } = await call(pair, args);
      expect({ code, stdout }).toEqual(refused);
      for (const long of pair) expect(stderr).toContain(long);
    }
  });

  test('refuses what cannot be a client or a version before it reads anything', async () => {
    const bad = { clientId: ['\u0007', 'x'.repeat(256)], version: ['demo', 'x@0'] };
    for (const [argument, values] of Object.entries(bad)) {
      const index = registeredArguments.findIndex((one) => one.name() === argument);
      if (index < 0) continue;
      for (const value of values) {
        expect(await call([], args.with(index, value))).toMatchObject({ code: 2, stdout: '' });
      }
    }
  });

  test('asks nobody where there is no terminal, and reads nothing before', async () => {
    // smoke asks in production only, so it reads the outputs first.
    if (!names.includes('--yes') || name === 'smoke') return;
    const asks = names.filter((one) => one === '--merge');
    const run = await call(['--message', ...asks], [...args, '--outputs', '/no/such/file']);
    expect(run).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--yes') });
  });
});

scenario('usage/deployment', 'A command says which deployment it lacks.', async (desk) => {
  const { run, ends, write, outputs, writeOutputs, answer, aws, note } = desk;
  await run('clients list');
  await run('clients list --local --stack x');
  await run('clients list --outputs nothing.json');
  const { ApiUrl, UserIdClaim, ...others } = OUTPUTS;
  const files = {
    'text.json': 'CustomerDataApi',
    'two.json': JSON.stringify({ 'CustomerDataApi-a': outputs, 'CustomerDataApi-b': outputs }),
    'old.json': JSON.stringify({ [STACK]: { ...others, Region: 7 } }),
  };
  for (const [file, text] of Object.entries(files)) {
    await write(file, text);
    await run(`clients list --outputs ${file}`);
  }
  await write('none.json', JSON.stringify({ 'Shop-prod': outputs }));
  await write('null.json', 'null');
  const refused = ['none.json', 'null.json', '.', 'none.json/outputs.json'];
  await ends(...refused.map((file) => `clients list --outputs ${file}`));
  await run('clients list --stack Shop-prod');
  expect(aws.calls).toEqual([]);
  await run('clients list --stack CustomerDataApi-live');
  await ends('smoke --stack CustomerDataApi-live --yes');
  const list = `clients list --stack ${STACK}`;
  for (const DescribeStacks of [undefined, NO_RESPONSE]) {
    answer({ DescribeStacks });
    await ends(list);
  }
  answer({ DescribeStacks: describedStack(STACK, {}) });
  await run(list);
  note('The region is that of AWS_DEFAULT_REGION, or unknown:');
  answer();
  vi.stubEnv('AWS_REGION', undefined);
  vi.stubEnv('AWS_DEFAULT_REGION', 'eu-north-1');
  await run('clients list --stack CustomerDataApi-live');
  vi.stubEnv('AWS_DEFAULT_REGION', undefined);
  await run(list);
  note('There are no credentials:');
  vi.stubEnv('AWS_REGION', 'us-east-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', undefined);
  await run(list);
  note('The local server was killed:');
  await writeOutputs({ ...outputs, JwksUri: 'http://127.0.0.1:1' });
  await run('clients list --local');
  note('It hangs:');
  const hanging = createServer(() => {});
  await writeOutputs({ ...outputs, JwksUri: await listen(hanging) });
  const over = AbortSignal.abort(new DOMException('It takes too long.', 'TimeoutError'));
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(over);
  await run('clients list --local');
  timeout.mockRestore();
  await close(hanging);
});

scenario('usage/newer-release', 'Older commands read a newer deployment.', async (desk) => {
  const { run, ends, write, outputs } = desk;
  for (const [file, Release] of Object.entries({ next: '9.10.0', last: '0.0.9' })) {
    await write(`${file}.json`, JSON.stringify({ [STACK]: { ...outputs, Release } }));
  }
  await run('keys add demo --outputs next.json --dry-run');
  await ends(
    'clients list --outputs next.json',
    'clients remove demo --outputs next.json --dry-run',
    'queue redrive --outputs next.json --dry-run',
    'keys add demo --outputs next.json --dry-run --force',
    'keys add demo --outputs last.json --dry-run',
  );
});

scenario('usage/aws-errors', 'A call that fails is named in one line.', async (desk) => {
  const { run, answer, writeOutputs, outputs } = desk;
  const failing = { __type: 'ValidationException', message: 'First line,\n  and second.' };
  for (const Scan of [undefined, NO_RESPONSE, failing] as const) {
    answer({ Scan });
    await run('clients list --local');
  }
  answer({ GetQueueAttributes: { __type: 'QueueDoesNotExist', message: 'There is none.' } });
  await run('queue show --local');
  await writeOutputs({ ...outputs, SqsEndpoint: 'http://127.0.0.1:1' });
  await run('queue show --local');
});

/** Profiles as the AWS CLI has them in its files. */
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
const KEYS = { AWS_ACCESS_KEY_ID: 'KEY-OF-ENVIRONMENT', AWS_SECRET_ACCESS_KEY: 'secret' };
const ASSUMED =
  '<Credentials><AccessKeyId>KEY-OF-ROLE</AccessKeyId><SecretAccessKey>secret</SecretAccessKey><SessionToken>token</SessionToken><Expiration>2999-01-01T00:00:00Z</Expiration></Credentials>';

/** The environment, the options, and the key and region with which AWS is called. */
const CALLERS: readonly [Record<string, string>, string, string][] = [
  [{}, '', 'KEY-OF-default us-west-2'],
  [{ AWS_PROFILE: 'ops' }, '', 'KEY-OF-ops eu-north-1'],
  [{ AWS_PROFILE: 'deployer' }, '', 'KEY-OF-ROLE eu-west-1'],
  [{ ...KEYS, AWS_SESSION_TOKEN: 'token' }, ' --profile ops', 'KEY-OF-ops eu-north-1'],
  [{ ...KEYS, AWS_PROFILE: 'ops' }, '', 'KEY-OF-ENVIRONMENT eu-north-1'],
  [{ ...KEYS, AWS_PROFILE: 'ops', AWS_REGION: 'eu-south-1' }, '', 'KEY-OF-ENVIRONMENT eu-south-1'],
  [{ AWS_ACCESS_KEY_ID: 'half', AWS_PROFILE: 'ops' }, '', 'KEY-OF-ops eu-north-1'],
  [{}, ' --profile stored --region eu-west-2', 'KEY-OF-stored eu-west-2'],
  [{ AWS_PROFILE: 'ops', AWS_DEFAULT_REGION: 'eu-south-2' }, '', 'KEY-OF-ops eu-south-2'],
  [{ AWS_REGION: 'eu-south-1', AWS_DEFAULT_REGION: 'eu-south-2' }, '', 'KEY-OF-default eu-south-1'],
  [{ AWS_REGION: 'eu-south-1' }, ' --region eu-west-2', 'KEY-OF-default eu-west-2'],
];

scenario('usage/profiles', 'Profiles and regions are those of the AWS CLI.', async (desk) => {
  const { run, unseen, write, answer, aws, note } = desk;
  await write('config', CONFIG);
  await write('credentials', CREDENTIALS.join(''));
  const warn = vi.spyOn(console, 'warn');
  const outputs = { ...OUTPUTS, DynamoDbEndpoint: aws.endpoint };
  answer({
    AssumeRole: ASSUMED,
    Scan: { Items: [] },
    DescribeStacks: describedStack(STACK, outputs),
  });
  for (const [environment, options, caller] of CALLERS) {
    enter(environment);
    expect(await unseen(`clients list --stack ${STACK}${options}`)).toMatchObject({ code: 0 });
    const [call] = aws.calls.filter(({ operation }) => operation === 'DescribeStacks');
    expect(call?.signer).toBe(caller);
  }
  // The SDK's, if it finds several sources of credentials.
  expect(warn).not.toHaveBeenCalled();
  warn.mockRestore();
  for (const profile of ['nobody', 'nowhere']) {
    note(`A profile that does not exist, or has no region:`);
    enter({});
    await run(`clients list --stack ${STACK} --profile ${profile}`);
    enter({ AWS_PROFILE: profile });
    await run(`clients list --stack ${STACK}`);
    expect(aws.calls).toEqual([]);
    // The local server needs none.
    expect(await unseen('keys list acme --local')).toMatchObject({ code: 0 });
    enter({ AWS_PROFILE: profile, ...KEYS });
    expect(await unseen('keys list acme --local')).toMatchObject({ code: 0 });
  }
});

/** Enters an environment in which the SDK reads the files of this folder. */
function enter(environment: Readonly<Record<string, string>>): void {
  const files = { AWS_CONFIG_FILE: 'config', AWS_SHARED_CREDENTIALS_FILE: 'credentials' };
  const none = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'AWS_REGION'];
  for (const name of [...none, 'AWS_PROFILE', 'AWS_DEFAULT_REGION']) vi.stubEnv(name, undefined);
  for (const [name, value] of Object.entries({ ...files, ...environment })) vi.stubEnv(name, value);
}
