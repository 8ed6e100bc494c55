import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Outputs } from '../../../cli/outputs.ts';
import { eventOf, type Harness, startHarness } from './queue-harness.ts';

/* What operators see when a command fails. */

let harness: Harness;
let folder: string;
beforeAll(async () => {
  harness = await startHarness();
  folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
});
afterAll(async () => {
  await harness.stop();
  await rm(folder, { recursive: true });
});

type Command = 'redrive' | 'erase-user';

const ARGUMENTS: Readonly<Record<Command, readonly string[]>> = {
  redrive: [],
  'erase-user': ['--client', 'demo', '--user', 'jane', '--yes'],
};

const API_URL = 'https://abc.execute-api.us-east-1.amazonaws.com/prod/';
const WITHOUT_CREDENTIALS = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('AWS_'))),
  AWS_CONFIG_FILE: devNull,
  AWS_SHARED_CREDENTIALS_FILE: devNull,
  AWS_EC2_METADATA_DISABLED: 'true',
};

interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(
  command: Command,
  changed: Partial<Outputs> = {},
  args = ARGUMENTS[command],
  env = process.env,
): Promise<Finished> {
  const file = join(folder, 'outputs.json');
  await writeFile(
    file,
    JSON.stringify({ 'CustomerDataApi-dev': { ...harness.outputs, ...changed } }),
  );
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [`bin/${command}.ts`, '--outputs', file, ...args],
      { env },
      (_error, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}

describe.each(['redrive', 'erase-user'] as const)('npm run %s', (command) => {
  test('succeeds when no call fails', async () => {
    await harness.store(eventOf('jane'));
    const { code, stdout, stderr } = await run(command);
    expect(stderr).toBe('');
    expect(stdout).not.toBe('');
    expect(code).toBe(0);
  });

  const queue = 'https://sqs.us-east-1.amazonaws.com/000000000000/no-such-queue';
  test.each<[string, Partial<Outputs>, RegExp]>([
    [
      'AWS refuses a call',
      { PromoEventsDeadLetterQueueUrl: queue },
      /^The call to AWS failed\. QueueDoesNotExist: \S/,
    ],
    [
      'AWS cannot be reached',
      { SqsEndpoint: 'http://127.0.0.1:9' },
      /^The call to AWS failed\. \w+: .*ECONNREFUSED/,
    ],
    ['an output is missing', { PromoEventsQueueUrl: undefined as never }, /PromoEventsQueueUrl/],
  ])('ends with one line when %s', async (_, changed, expected) => {
    const { code, stdout, stderr } = await run(command, changed);
    expect(stderr).toMatch(expected);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(stdout).toBe('');
    expect(code).toBe(1);
  });

  test('fails with one line without credentials', async () => {
    const { code, stderr } = await run(
      command,
      { SqsEndpoint: undefined, DynamoDbEndpoint: undefined, ApiUrl: API_URL },
      ARGUMENTS[command],
      WITHOUT_CREDENTIALS,
    );
    expect(stderr).toMatch(/^The call to AWS failed\. CredentialsProviderError: .*\n$/);
    expect(code).toBe(1);
  });

  test('fails with one line when the error message of AWS has several', async () => {
    harness.fails = ({ operation }) => operation === 'receive';
    const { code, stderr } = await run(command);
    harness.fails = () => false;
    expect(stderr).toMatch(/^The call to AWS failed\. AccessDenied\w*: Not allowed\.\n$/);
    expect(code).toBe(1);
  });
});

test('npm run redrive prints what it did, and fails when SQS refuses a message', async () => {
  await harness.send('dead-letters', eventOf('jane'), '{}');
  harness.refuses = ({ operation }) => operation === 'send';
  const { code, stdout, stderr } = await run('redrive', {}, ['--move']);
  harness.refuses = () => false;
  expect(stdout).toContain('Promo events moved back from the dead-letter queue: 0\n');
  expect(stderr).toMatch(/^SQS refused 1 messages\. .*\n$/);
  expect(code).toBe(1);
});

test.each(['', 'x'.repeat(256), 'a\u0007b'])(
  'npm run erase-user refuses the user %j in one line',
  async (user) => {
    const { code, stdout, stderr } = await run('erase-user', {}, [
      '--client',
      'demo',
      '--user',
      user,
    ]);
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  },
);
